import path from 'node:path'
import { execa } from 'execa'
import { readPlan } from '../../dist/src/plan/read-plan.js'

/** What git says of the repository that was worked on, and the plan, when one is given. */
export async function subjectOf(directory, { plan } = {}) {
  const git = async (...args) => (await execa('git', ['-C', directory, ...args], { timeout: 60_000 })).stdout
  const root = await git('rev-parse', '--show-toplevel')
  const status = await git('status', '--porcelain', '-z', '--untracked-files=all', '--no-renames')
  return {
    changed: status
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => ({ state: line.slice(0, 2), file: line.slice(3) })),
    targets:
      plan === undefined
        ? []
        : (await readPlan(plan)).plan.scenarios.flatMap(({ target }) => target?.text ?? []),
    plan: plan === undefined ? null : path.relative(root, path.resolve(plan)).split(path.sep).join('/'),
  }
}

export const properties = {
  /** Nothing was written but sessions and the plan. */
  untouched({ changed, plan }) {
    return changed
      .filter(({ file }) => !isOfSessions(file) && file !== plan)
      .map(({ file }) => `${file} was changed`)
  },
  /** What was written are the target files of the plan, staged and not committed. */
  authored({ changed, targets, plan }) {
    const files = new Map(changed.map(({ state, file }) => [file, state]))
    return [
      ...[...new Set(targets)]
        .filter((file) => !/^[AM] $/.test(files.get(file) ?? ''))
        .map((file) => `${file} is not staged as it is`),
      ...changed
        .filter(({ file }) => !isOfSessions(file) && file !== plan && !targets.includes(file))
        .map(({ file }) => `${file} was changed, which the plan does not declare`),
    ]
  },
}

function isOfSessions(file) {
  return /(?:^|\/)test-sessions\//.test(file)
}
