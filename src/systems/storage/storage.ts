import { EnvironmentError, FaultError } from '../../errors.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { DisturbanceKind, Missing, Storage } from '../capabilities.js'
import { filesIn, readIn, spaceOf } from './data-files.js'
import type { NodePlace, StorageMechanism } from './mechanism.js'
import { replaceFile } from './replace.js'

/** What makes the storage of a system besides the places of its nodes. */
export interface StorageParts {
  /** In order of preference: the first one that can make a disturbance makes it. */
  readonly mechanisms: readonly StorageMechanism[]
  readonly journal: UndoJournal
  /** Ends a node at once: `Lifecycle.kill`. */
  kill(node: string): Promise<void>
}

/** The storage of nodes whose data directories this machine can reach. */
export function storageOf(places: readonly NodePlace[], parts: StorageParts): Storage {
  const { mechanisms, journal } = parts
  const placeOf = (node: string): NodePlace => {
    const place = places.find(({ name }) => name === node)
    if (place !== undefined) return place
    throw new FaultError('unknown-node', `there is no node ${JSON.stringify(node)}`, {
      hint: `the nodes are ${places.map(({ name }) => name).join(', ')}`,
    })
  }
  const makerOf = (kind: DisturbanceKind): StorageMechanism => {
    const maker = mechanisms.find((mechanism) => mechanism.lacks(kind) === null)
    if (maker !== undefined) return maker
    const { what, hint } = lacking(mechanisms, kind)
    throw new EnvironmentError(
      what,
      `the disturbance '${kind}' cannot be made here: ${what} is missing`,
      hint,
    )
  }
  return {
    lacks: (kind) =>
      mechanisms.some((mechanism) => mechanism.lacks(kind) === null) ? null : lacking(mechanisms, kind),
    disturb: async (node, disturbance) => makerOf(disturbance.kind).disturb(placeOf(node), disturbance),
    async losePower(node) {
      const maker = makerOf('power-loss')
      if (maker.losePower === undefined) {
        throw new FaultError('power-loss', `${maker.name} offers power loss and has no way to make it`)
      }
      return maker.losePower(placeOf(node), () => parts.kill(node))
    },
    space: async (node) => spaceOf(placeOf(node).dataDir),
    files: async (node) => filesIn(placeOf(node).dataDir),
    read: async (node, path) => readIn(placeOf(node).dataDir, path),
    replace: async (node, path, content) =>
      replaceFile(journal, { dataDir: placeOf(node).dataDir, path, content }),
  }
}

/** What is missing by each mechanism, as one. */
function lacking(mechanisms: readonly StorageMechanism[], kind: DisturbanceKind): Missing {
  const missing = mechanisms.map((mechanism) => mechanism.lacks(kind)).filter((lack) => lack !== null)
  if (missing.length === 0) return { what: `a way to make '${kind}'`, hint: 'run the nodes on Linux' }
  const words = (part: (lack: Missing) => string) => [...new Set(missing.map(part))].join('; or ')
  return { what: words(({ what }) => what), hint: words(({ hint }) => hint) }
}
