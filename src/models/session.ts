import type { Json } from '../json.js'
import { canonical } from './canonical.js'
import { describeCall, describeValue } from './describe.js'
import type { Model, ModelOperation, Semantics } from './model.js'
import { unreadable } from './operation-error.js'
import { semanticsOf } from './semantics.js'

const name = 'session'

const reads: ReadonlySet<string> = new Set(['read', 'get'])
const writes = ['write', 'put', 'set']

/** A value and its version. While the version is not known, `above` is what it is known to be above. */
export interface VersionedState {
  readonly value: Json
  readonly version: number | null
  readonly above: number | null
}

/** What an answer says; undefined where it says nothing. */
interface Answer {
  readonly value: Json | undefined
  readonly version: number | null
}

/**
 * A register whose values have versions: `write(v) -> version` (or `put`, `set`) and `read -> { value, version }` (or
 * `get`). A write's answer is the version, as a number other than the input or as `{ version }`; a read may answer the
 * bare value. What an answer leaves out is unknown. Versions grow with every write. One register a key; the process is
 * the session. Throws DeclarationError when the semantics are wrong.
 */
export function session(given?: Partial<Semantics>): Model<VersionedState> {
  const semantics = semanticsOf(name, given)

  const answerOf = (operation: ModelOperation): Answer => {
    const { type, input, output, outcome } = operation
    if (outcome !== 'ok') return { value: undefined, version: null }
    const isRead = reads.has(type)
    if (isVersioned(output)) {
      const { value, version = null } = output
      if (version !== null && typeof version !== 'number') {
        throw unreadable(name, operation, 'answers a version that is a number')
      }
      return { value: isRead ? value : undefined, version }
    }
    if (!isRead)
      return { value: undefined, version: typeof output === 'number' && output !== input ? output : null }
    return { value: output === null && semantics.nullRead === 'unknown' ? undefined : output, version: null }
  }

  return {
    name,
    operations: [...reads, ...writes],
    requires: ['process_id', 'output'],
    semantics,
    partition: 'key',
    init: () => ({ value: semantics.init, version: null, above: null }),
    identity: (state) => canonical({ ...state }),
    step(state, operation) {
      if (operation.outcome === 'failed') return state
      const { value, version } = answerOf(operation)
      if (reads.has(operation.type)) {
        if (value !== undefined && canonical(value) !== canonical(state.value)) return undefined
        return version === null ? state : withVersion(state, version)
      }
      const written = { value: operation.input, version: null, above: state.version ?? state.above }
      return version === null ? written : withVersion(written, version)
    },
    // A read may be what tells the version of a write that did not answer.
    isObserver: (type, operation) =>
      operation !== undefined &&
      (operation.outcome === 'failed' || (reads.has(type) && answerOf(operation).version === null)),
    describeOperation: (operation) =>
      describeCall(reads.has(operation.type) ? { ...operation, input: null } : operation),
    describeState({ value, version, above }) {
      const known = version === null ? (above === null ? '' : ` above ${above}`) : ` ${version}`
      return known === '' ? describeValue(value) : `${describeValue(value)} of version${known}`
    },
  }
}

/** The state when its version is seen; undefined when it cannot be that. */
function withVersion(state: VersionedState, version: number): VersionedState | undefined {
  if (state.version !== null) return state.version === version ? state : undefined
  if (state.above !== null && version <= state.above) return undefined
  return { value: state.value, version, above: null }
}

function isVersioned(output: Json): output is { value?: Json; version?: Json } {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return false
  const fields = Object.keys(output)
  return fields.includes('version') || (fields.length === 1 && fields[0] === 'value')
}
