import type { Project } from '../../../../environment/toolbox/project.js'
import { languageOf, type Language } from '../language.js'
import { goReferences } from './go.js'
import { javascriptReferences } from './javascript.js'
import { pythonReferences } from './python.js'
import type { ProjectIndex, References } from './references.js'
import { rustReferences } from './rust.js'

/** A file that a change reaches, with how: through which file, over how many steps. */
export interface Dependent {
  readonly file: string
  readonly through: string
  readonly steps: number
}

const mostSteps = 4
const mostDependents = 200

const readers: Readonly<Partial<Record<Language['name'], (index: ProjectIndex) => References>>> = {
  javascript: javascriptReferences,
  go: goReferences,
  rust: rustReferences,
  python: pythonReferences,
}

/**
 * The files that use the changed ones, directly or through others, the nearest first: as far as imports say so. What is
 * reached over a network, by reflection or through configuration is not seen.
 */
export function dependentsOf(
  changed: readonly string[],
  { files, texts }: Pick<Project, 'files' | 'texts'>,
): Dependent[] {
  const users = usersOf({ files: new Set(files), texts })
  const seen = new Set(changed)
  const found: Dependent[] = []
  let edge = [...changed]
  for (let steps = 1; steps <= mostSteps && edge.length > 0; steps += 1) {
    const next: string[] = []
    for (const through of edge) {
      for (const file of users.get(through) ?? []) {
        if (seen.has(file)) continue
        if (found.length >= mostDependents) return found
        seen.add(file)
        found.push({ file, through, steps })
        next.push(file)
      }
    }
    edge = next
  }
  return found
}

function usersOf(index: ProjectIndex): Map<string, Set<string>> {
  const referencesBy = new Map(Object.entries(readers).map(([name, reader]) => [name, reader(index)]))
  const users = new Map<string, Set<string>>()
  for (const [file, text] of index.texts) {
    const references = referencesBy.get(languageOf(file)?.name ?? '')
    for (const used of references?.(file, text) ?? []) {
      const known = users.get(used) ?? new Set()
      known.add(file)
      users.set(used, known)
    }
  }
  return users
}
