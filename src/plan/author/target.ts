import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { PlanError } from '../../errors.js'
import type { PlanScenario } from '../plan.js'
import { isOpen } from '../lint/rule.js'
import { isWithin } from '../project-root.js'

/** Places within a repository that nobody writes tests to. */
const forbidden = /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/

/**
 * The absolute path of a scenario's target test file. Throws PlanError when the plan declares none, or one that lies
 * outside of the project, also through a symbolic link.
 */
export function targetOf(
  scenario: PlanScenario,
  { plan, root }: { readonly plan: string; readonly root: string },
): string {
  const { id, at, target } = scenario
  const refused = (what: string, hint: string): never => {
    throw new PlanError('target', plan, target?.at.line ?? at.line, `${id} ${what}`, hint)
  }
  if (target === null || isOpen(target)) {
    return refused('names no target test file', 'add `- **Target test file:** test/orders.scenario.ts`')
  }
  const hint = 'write a path relative to the root of the repository'
  const { text } = target
  if (!isWithin(root, text)) return refused(`has the target ${text}, outside of the repository`, hint)
  if (forbidden.test(text)) return refused(`has the target ${text}, where no test belongs`, hint)
  const file = path.resolve(root, text)
  const real = realpathSync(nearestThatExists(file))
  const realRoot = realpathSync(root)
  if (real !== realRoot && !real.startsWith(`${realRoot}${path.sep}`)) {
    return refused(`has the target ${text}, which a link leads outside of the repository`, hint)
  }
  return file
}

function nearestThatExists(file: string): string {
  return existsSync(file) ? file : nearestThatExists(path.dirname(file))
}
