import { existsSync, realpathSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PlanError } from '../../errors.js'
import { readProject } from '../../environment/toolbox/project.js'
import { lint, type LintFinding } from '../lint/lint.js'
import { parsePlan } from '../parse/parse.js'
import { isWithin } from '../project-root.js'
import { readChange } from './change/change.js'
import { lighterTests } from './change/lighter.js'
import { trivialityOf, type Trivial } from './change/triviality.js'
import { findingsOf, isOfInterest, type ChangeScope, type Findings } from './findings.js'
import { scaffold } from './scaffold/scaffold.js'
import { planPathOf } from './slug.js'

/** What came of a wish for a plan. */
export type NewPlan =
  | {
      readonly kind: 'written'
      /** Relative to the root. */
      readonly file: string
      readonly findings: Findings
      /** What `nemesis plan check` says of it: the places that a person has to fill. */
      readonly open: readonly LintFinding[]
    }
  | {
      /** The change cannot change what the system does. */
      readonly kind: 'not-warranted'
      readonly scope: ChangeScope
      readonly reasons: readonly Trivial[]
      readonly instead: readonly string[]
    }

/**
 * Scaffolds `docs/testing-plans/<slug>.md` from what is found in the repository at `root`, or writes nothing when a change
 * warrants no plan. Throws PlanError for a slug that is none, a plan that is there already, a place outside of the
 * repository, and revisions that git does not know.
 */
export async function newPlan(root: string, slug: string, revisions: string | null): Promise<NewPlan> {
  const file = planPathOf(slug)
  const change = revisions === null ? null : await readChange(root, revisions)
  const findings = findingsOf(await readProject(root, isOfInterest), change)
  const { scope, toolbox } = findings
  if (scope !== null) {
    const reasons = scope.change.files.map(trivialityOf)
    if (reasons.every((reason) => reason !== null)) {
      const distinct = [...new Set(reasons)]
      return {
        kind: 'not-warranted',
        scope,
        reasons: distinct,
        instead: lighterTests(distinct, { toolbox, near: scope.near }),
      }
    }
  }
  const text = scaffold(slug, findings)
  await writeNew(root, file, text)
  const open = lint(parsePlan(text, file), text, { within: (target) => isWithin(root, target) })
  return { kind: 'written', file, findings, open }
}

async function writeNew(root: string, file: string, text: string): Promise<void> {
  const target = path.join(root, file)
  const real = realpathSync(nearestThatExists(path.dirname(target)))
  const realRoot = realpathSync(root)
  if (real !== realRoot && !real.startsWith(`${realRoot}${path.sep}`)) {
    const hint = 'make docs/testing-plans a folder of the repository'
    throw new PlanError('outside', file, undefined, 'a link leads outside of the repository', hint)
  }
  await mkdir(path.dirname(target), { recursive: true })
  try {
    await writeFile(target, text, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const hint = 'take another slug, or go on with the plan that is there'
    throw new PlanError(
      'exists',
      file,
      undefined,
      'there is such a plan already, and it is not overwritten',
      hint,
    )
  }
}

function nearestThatExists(folder: string): string {
  return existsSync(folder) ? folder : nearestThatExists(path.dirname(folder))
}
