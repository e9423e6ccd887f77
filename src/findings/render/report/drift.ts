import type { SessionRecord } from '../../../session/record.js'
import { paragraph, table, type Block } from '../markdown.js'

const kinds = {
  unimplemented: 'no test',
  unplanned: 'not in the plan',
  changed: 'the plan has changed',
  claim: 'the claim differs',
} as const

/** Where the plan and its tests have moved apart. */
export function drift({ plan, drift: found }: Pick<SessionRecord, 'plan' | 'drift'>): Block {
  if (plan === null) return paragraph('No plan is configured.')
  if (found.length === 0)
    return paragraph('None: every scenario of the plan has a test, made from the plan as it is.')
  return table(
    ['ID', 'Drift', 'Detail'],
    found.map(({ id, kind, detail }) => [id, kinds[kind], detail]),
  )
}
