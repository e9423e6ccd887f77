import type { SessionRecord } from '../../../session/record.js'
import { code, labelled, list, type Block } from '../markdown.js'
import type { ReportContext } from './context.js'

/** What was run, on what, when and with what. */
export function header(session: SessionRecord, { sessionPath, plan }: ReportContext): Block {
  const { commit, startedAt, finishedAt, tier, gate, tool } = session
  return list([
    labelled('Plan', planInWords(session.plan, plan?.digest ?? null)),
    labelled(
      'Commit under test',
      commit === null
        ? 'not in a git repository'
        : [code(commit.id), commit.clean ? ', clean work tree' : ', with uncommitted changes'],
    ),
    labelled('Session', [code(sessionPath), `, ${startedAt} to ${finishedAt ?? 'not finished'}`]),
    labelled('Tier attempted', `${tier}, gate ${gate}`),
    labelled(
      'Tool',
      `${tool.name} ${tool.version}, Node ${tool.node}, Vitest ${tool.vitest}, ${tool.platform}`,
    ),
  ])
}

function planInWords(path: string | null, digest: string | null) {
  if (path === null) return 'none configured'
  return digest === null
    ? [code(path), ', which was not there when the session started']
    : [code(path), `, digest ${digest}`]
}
