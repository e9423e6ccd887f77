import { inventoryOf } from '../../environment/toolbox/inventory/inventory.js'
import { subsystemOf, type TestCase } from '../../environment/toolbox/inventory/test-case.js'
import { claimProposals } from '../../environment/toolbox/claims/proposals.js'
import type { ClaimProposal } from '../../environment/toolbox/claims/proposal.js'
import { isDocument } from '../../environment/toolbox/documents.js'
import type { Project } from '../../environment/toolbox/project.js'
import type { Tool } from '../../environment/toolbox/tool.js'
import { isToolFile, toolboxOf } from '../../environment/toolbox/toolbox.js'
import type { Change } from './change/change.js'
import { dependentsOf, type Dependent } from './change/graph/dependents.js'
import { languageOf } from './change/language.js'
import { testsNear } from './change/near.js'
import { surfacesOf, type Surface } from './change/surfaces.js'
import { walkedPitfalls, type WalkedPitfall } from './pitfall-signs.js'

/** What a repository tells of itself, for a plan: all of it was found there, none of it is judged. */
export interface Findings {
  readonly toolbox: readonly Tool[]
  readonly tests: readonly TestCase[]
  readonly proposals: readonly ClaimProposal[]
  readonly pitfalls: readonly WalkedPitfall[]
  /** Parts of the code in which no test was found. */
  readonly untested: readonly string[]
  readonly scope: ChangeScope | null
  /** True when the repository is larger than what is read of it. */
  readonly truncated: boolean
}

/** What a change touches and reaches. */
export interface ChangeScope {
  readonly change: Change
  readonly surfaces: readonly Surface[]
  readonly dependents: readonly Dependent[]
  readonly near: readonly TestCase[]
}

/** True for a file whose text a plan is scaffolded from. */
export function isOfInterest(file: string): boolean {
  return isToolFile(file) || isDocument(file) || languageOf(file) !== null
}

/** Looks at a whole project, or, with a change, at what the change touches and reaches. */
export function findingsOf(project: Project, change: Change | null): Findings {
  const toolbox = toolboxOf(project)
  const tests = inventoryOf(project.texts)
  const scope = change === null ? null : scopeOf(project, tests, change)
  const within = scope === null ? project.texts : textsWithin(project, scope)
  return {
    toolbox,
    tests,
    proposals: proposalsOf(project, scope === null ? null : within),
    pitfalls: walkedPitfalls(own(within)),
    untested: untestedParts(project, tests),
    scope,
    truncated: project.truncated,
  }
}

function scopeOf(project: Project, tests: readonly TestCase[], change: Change): ChangeScope {
  const changed = change.files.map(({ file }) => file)
  const dependents = dependentsOf(changed, project)
  return {
    change,
    surfaces: surfacesOf(changed),
    dependents,
    near: testsNear(tests, { changed, dependents }),
  }
}

function textsWithin({ texts }: Project, { change, dependents }: ChangeScope): ReadonlyMap<string, string> {
  const reached = new Set([...change.files, ...dependents].map(({ file }) => file))
  const before = change.files.flatMap(({ file, before: text }) =>
    text === null || texts.has(file) ? [] : [[file, text] as const],
  )
  return new Map([...[...texts].filter(([file]) => reached.has(file)), ...before])
}

/** Of a change, what stands in the files that it reaches comes first; what documents say may concern it as well. */
function proposalsOf({ texts }: Project, within: ReadonlyMap<string, string> | null): ClaimProposal[] {
  const all = claimProposals(texts)
  if (within === null) return all
  const near = all.filter(({ file }) => within.has(file))
  return [...near, ...all.filter(({ file, from }) => !within.has(file) && from === 'document')]
}

/** Without what is about the project and its tools, and without earlier plans. */
function own(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const aside = /^\.|(?:^|\/)(?:testing-plans|CHANGELOG|LICENSE|CONTRIBUTING|package(?:-lock)?\.json)/i
  return new Map([...texts].filter(([file]) => !aside.test(file)))
}

function untestedParts({ files }: Project, tests: readonly TestCase[]): string[] {
  const tested = new Set(tests.map(({ subsystem }) => subsystem))
  const parts = new Set(
    files.filter((file) => languageOf(file) !== null && !/^\.|\.d\.ts$/.test(file)).map(subsystemOf),
  )
  return [...parts].filter((part) => part !== '.' && !tested.has(part)).toSorted()
}
