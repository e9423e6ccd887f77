import path from 'node:path'
import { PlanError } from '../../src/errors.js'
import { plannedChanges } from '../../src/plan/author/changes.js'
import { writeChanges } from '../../src/plan/author/write.js'
import { mayBeExecuted } from '../../src/plan/lint/lint.js'
import { projectRoot } from '../../src/plan/project-root.js'
import { readPlan } from '../../src/plan/read-plan.js'

// Loaded only when somebody asks for it.

/**
 * Writes the scenarios of the plan that have no test yet to their target files, before Vitest looks for tests. What is
 * there stays as it is. Throws PlanError for a plan that may not be executed.
 */
export async function authorMissing(projectDirectory: string, plan: string): Promise<void> {
  const file = path.join(projectDirectory, plan)
  const read = await readPlan(file)
  const root = projectRoot(file)
  if (!mayBeExecuted(read.plan, read.source, root)) {
    throw new PlanError(
      'plan-refused',
      file,
      undefined,
      'it may not be executed',
      `see: nemesis plan check ${file}`,
    )
  }
  const { changes, unready } = await plannedChanges({
    plan: read.plan,
    planPath: path.relative(root, file).split(path.sep).join('/'),
    root,
    onExists: () => Promise.resolve('skip'),
  })
  await writeChanges(changes, root)
  for (const change of changes) {
    const written = path.relative(projectDirectory, change.file)
    process.stdout.write(`nemesis  wrote ${change.scenarios.join(', ')} to ${written}\n`)
  }
  for (const { scenario, open } of unready) {
    process.stdout.write(
      `nemesis  ${scenario} is not written, as it would be improvised: fill in its ${open.join(', ')}\n`,
    )
  }
}
