import type { ScenarioRecord } from '../../../session/record.js'
import type { Audit } from '../../../verdict/audits/audit.js'
import { heading, paragraph, table, type Block, type Content } from '../markdown.js'
import { count } from '../words.js'

/** The ten red flags and the fourteen weak oracles of every scenario that ran, each with its evidence. */
export function audits(scenarios: readonly ScenarioRecord[]): Block[] {
  const audited = scenarios.filter((record) => record.audits.length > 0)
  if (audited.length === 0) return [paragraph('No scenario ran, so none was audited.')]
  return audited.flatMap((record) => [
    heading(3, `${record.id}: ${inShort(record.audits)}`),
    table(['Check', 'Result', 'Evidence'], record.audits.map(row)),
  ])
}

function inShort(all: readonly Audit[]): string {
  const unmet = all.filter(({ result }) => result === 'unmet')
  const waived = unmet.filter(({ waiver }) => waiver !== null)
  const met = all.filter(({ result }) => result === 'met').length
  const words = [`${met} met`, `${unmet.length} unmet`, `${all.length - met - unmet.length} not applicable`]
  return [...words, ...(waived.length === 0 ? [] : [count(waived.length, 'waiver')])].join(', ')
}

function row({ group, number, name, result, blocks, waiver, evidence }: Audit): Content[] {
  const code = `${group === 'red-flag' ? 'R' : 'W'}${number}`
  return [`${code} ${name}`, resultInWords({ result, blocks, waiver }), evidence.join('; ')]
}

function resultInWords({ result, blocks, waiver }: Pick<Audit, 'result' | 'blocks' | 'waiver'>): string {
  if (result === 'not-applicable') return 'not applicable'
  if (result === 'met') return 'met'
  if (waiver !== null) return `unmet, waived: ${waiver}`
  return blocks === 'PASS' ? 'unmet: no pass' : 'unmet: no PASS-hardening'
}
