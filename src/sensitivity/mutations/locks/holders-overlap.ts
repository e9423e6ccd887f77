import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Model } from '../../../models/model.js'
import { changed } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { CleanHistory, Mutation } from '../../mutation.js'
import { perHistory } from '../../per-history.js'

/** A time in which one process surely holds. */
interface Hold {
  readonly acquire: Operation
  /** When it first did anything else with the lock. */
  readonly until: number
}

const holdsOf = perHistory(({ operations }: CleanHistory): readonly Hold[] => {
  const holds: Hold[] = []
  const open = new Map<string, { acquire: Operation | null; isSure: boolean }>()
  for (const operation of operations) {
    const { op_type: type, key, process_id: process, invoke_ts: invoked, complete_ts: completed } = operation
    if (type !== 'acquire' && type !== 'release' && type !== 'renew') continue
    const holder = JSON.stringify([key, process])
    const known = open.get(holder) ?? { acquire: null, isSure: true }
    open.set(holder, known)
    if (known.acquire !== null) holds.push({ acquire: known.acquire, until: invoked })
    const isGrant = type === 'acquire' && outcomeOf(operation) === 'ok' && operation.output !== false
    // A process with something in flight, such as a release that may come late, may lose what it was just granted.
    if (completed === null) known.isSure = false
    known.acquire = isGrant && known.isSure ? operation : null
  }
  for (const { acquire } of open.values()) if (acquire !== null) holds.push({ acquire, until: Infinity })
  return holds
})

/** While a process surely holds, as many others as there are permits are granted the same. */
export const holdersOverlap: Mutation = {
  name: 'holders-overlap',
  about: 'two sides of a partition each grant the lock',
  draw(history, random) {
    const permits = permitsOf(history.model)
    if (permits === null) return null
    return drawFrom(holdsOf(history), random, ({ acquire, until }) => {
      const granted = acquire.complete_ts ?? Infinity
      if (granted + 4 > until) return null
      const others = Array.from({ length: permits }, (_, index) => ({
        ...acquire,
        op_id: `overlap-${index + 1}`,
        process_id: `overlap-${index + 1}`,
        invoke_ts: granted + 1,
        complete_ts: granted + 2,
      }))
      const who = permits === 1 ? 'another process is' : `${permits} other processes are`
      const what =
        `${who} granted what process ${JSON.stringify(acquire.process_id)} holds since acquire ` +
        `(operation ${JSON.stringify(acquire.op_id)})`
      return changed(history, { what, insert: others })
    })
  },
}

function permitsOf(model: Model | null): number | null {
  if (model === null || model.name === 'lock' || model.name === 'lease') return 1
  const { init } = model.semantics
  return model.name === 'semaphore' && typeof init === 'number' ? init : null
}
