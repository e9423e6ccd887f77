import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import type { SessionRecord } from '../../src/session/record.js'
import { annotationsOf } from './annotations.js'
import { jobSummary } from './job-summary.js'

/**
 * Tells a finished session to GitHub Actions: annotations on standard output, and a part of the job's summary. Does nothing
 * anywhere else. `root` is the project's folder.
 */
export async function tellGitHub(
  session: SessionRecord,
  { root, report, environment }: { root: string; report: string; environment: NodeJS.ProcessEnv },
): Promise<void> {
  if (environment['GITHUB_ACTIONS'] !== 'true') return
  const workspace = environment['GITHUB_WORKSPACE'] ?? root
  const within = path.relative(workspace, root).split(path.sep).join('/')
  for (const line of annotationsOf(session.scenarios, within)) process.stdout.write(`${line}\n`)
  const file = environment['GITHUB_STEP_SUMMARY']
  if (file !== undefined && file !== '') await appendFile(file, `${jobSummary(session, report)}\n`)
}
