import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Vitest } from 'vitest/node'
import { discoverToolbox } from '../../src/environment/toolbox/toolbox.js'
import { projectRoot } from '../../src/plan/project-root.js'
import { schemaVersion, type SessionInfo } from '../../src/session/record.js'
import type { ResolvedOptions } from './options.js'

const run = promisify(execFile)
const gitTimeoutMs = 10_000
const mostTools = 200

/** What is known of a session when it starts. */
export async function sessionInfo(
  vitest: Vitest,
  options: ResolvedOptions,
  session: { readonly slug: string; readonly startedAt: Date },
): Promise<SessionInfo> {
  return {
    schema: schemaVersion,
    slug: session.slug,
    startedAt: session.startedAt.toISOString(),
    finishedAt: null,
    plan: options.plan,
    drift: [],
    commit: await commitOf(vitest.config.root),
    gate: options.gate,
    tier: options.tier,
    tool: {
      name: 'vitest-nemesis',
      version: ownVersion(),
      node: process.versions.node,
      vitest: vitest.version,
      platform: `${process.platform} ${process.arch}`,
    },
    toolbox: (await discoverToolbox(projectRoot(join(vitest.config.root, 'package.json')))).slice(
      0,
      mostTools,
    ),
  }
}

/** The commit that is checked out at `root`, and whether the work tree equals it; null outside a git repository. */
async function commitOf(root: string): Promise<SessionInfo['commit']> {
  const options = { cwd: root, timeout: gitTimeoutMs }
  try {
    const { stdout: id } = await run('git', ['rev-parse', 'HEAD'], options)
    const { stdout: changes } = await run('git', ['status', '--porcelain'], options)
    return { id: id.trim(), clean: changes.trim() === '' }
  } catch {
    // No git, no repository or no commit yet: the report says that the commit is not known.
    return null
  }
}

function ownVersion(): string {
  const file = new URL('../../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
