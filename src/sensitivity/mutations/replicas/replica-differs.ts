import { shown } from '../../../checkers/words.js'
import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import type { Random } from '../../../random/random.js'
import { answering, changed } from '../../change.js'
import type { CleanHistory, Mutant, Mutation } from '../../mutation.js'

/** The name of what one replica has and the others have not. */
const extra = 'held by one replica only'

/** At quiescence one replica, or a replay, holds something that the others do not. */
export const replicaDiffers: Mutation = {
  name: 'replica-differs',
  about: 'replicas diverge: one has missed a change, or made one that the others did not',
  draw(history, random) {
    const { collected } = history
    if (Array.isArray(collected)) return differingDump(history, collected, random)
    if (isObject(collected) && isObject(collected['replayed'])) return differingReplay(history, collected)
    return collected === null ? differingView(history, random) : null
  },
}

/** Of dumps as `{ node, dump, error }`. */
function differingDump(history: CleanHistory, dumps: readonly Json[], random: Random): Mutant | null {
  const read = dumps.filter((one) => isObject(one) && 'dump' in one && one['error'] === null)
  const chosen = read.length < 2 ? null : random.pick(read)
  if (!isObject(chosen)) return null
  const what = `the dump of ${shown(chosen['node'] ?? null)} has something more than the others`
  const collected = dumps.map((one) =>
    one === chosen ? { ...chosen, dump: withExtra(chosen['dump'] ?? null) } : one,
  )
  return { ...changed(history, { what }), collected }
}

/** Only where nothing is unknown: else a replay of the operations need not come to the same. */
function differingReplay(history: CleanHistory, states: Readonly<Record<string, Json>>): Mutant | null {
  if (history.operations.some((operation) => outcomeOf(operation) === 'unknown')) return null
  const { replayed } = states
  if (!isObject(replayed) || !('state' in replayed)) return null
  const what = 'the replayed state has something more than the live one'
  const collected = { ...states, replayed: { state: withExtra(replayed['state'] ?? null) } }
  return { ...changed(history, { what }), collected }
}

/** Of dumps that are operations: the last one of each node counts. */
function differingView(history: CleanHistory, random: Random): Mutant | null {
  const last = new Map<string, Operation>()
  for (const operation of history.operations) {
    const { op_type: type, node_seen: node, complete_ts: completed } = operation
    if ((type !== 'dump' && type !== 'view') || node === null || outcomeOf(operation) !== 'ok') continue
    const before = last.get(node)
    if (before === undefined || (before.complete_ts ?? 0) < (completed ?? 0)) last.set(node, operation)
  }
  if (last.size < 2) return null
  const [node, operation] = random.pick([...last])
  const what = `the last ${operation.op_type} of ${node} (operation ${JSON.stringify(operation.op_id)}) has something more than the others`
  return answering(history, { operation, output: withExtra(operation.output), what })
}

function withExtra(state: Json): Json {
  if (Array.isArray(state)) return [...state, extra]
  return isObject(state) ? { ...state, [extra]: true } : extra
}

function isObject(value: Json | undefined): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
