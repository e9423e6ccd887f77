import type { Write } from '../../../checkers/no-lost-ack/writes.js'
import { shown } from '../../../checkers/words.js'
import { canonical } from '../../../models/canonical.js'
import type { Random } from '../../../random/random.js'
import { drawFrom } from '../../draw.js'
import type { CleanHistory, Mutant, Mutation } from '../../mutation.js'
import { answeringFinally, finalKeys, under, type FinalKey } from './final-reads.js'

/** The final state lacks a write that was acknowledged. */
export const acknowledgedWriteDropped: Mutation = {
  name: 'acknowledged-write-dropped',
  about:
    'an acknowledged write is lost, such as with a leader that stepped down or a disk that was not flushed',
  draw(history, random) {
    return drawFrom(finalKeys(history), random, (final) =>
      final.isCollection ? elementDropped(history, final, random) : writeDropped(history, final, random),
    )
  },
}

function elementDropped(history: CleanHistory, final: FinalKey, random: Random): Mutant | null {
  if (final.hasBlindRemovals) return null
  const acknowledged = final.writes.filter(
    ({ outcome, value }) => outcome === 'ok' && !final.removed.has(value),
  )
  return drawFrom(acknowledged, random, (write) =>
    answeringFinally(history, {
      key: final.key,
      what: `${write.value} is missing ${under(final.key)}, which ${named(write)} added and which was acknowledged`,
      answer: ({ value }) =>
        (Array.isArray(value) ? value : [value]).filter((element) => canonical(element) !== write.value),
    }),
  )
}

/** Goes back to a value that was written once and surely replaced; or to the start when nobody can have left that. */
function writeDropped(history: CleanHistory, final: FinalKey, random: Random): Mutant | null {
  const { writes, initial, key } = final
  const counts = new Map<string, number>()
  for (const { value, outcome } of writes) {
    if (outcome !== 'failed') counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const acknowledged = writes.filter(({ outcome }) => outcome === 'ok')
  const last = acknowledged.at(-1)
  if (last === undefined) return null
  const replaced = acknowledged.filter(
    ({ complete, value }) =>
      complete < last.invoke && value !== initial && value !== last.value && counts.get(value) === 1,
  )
  const old = replaced.length === 0 ? null : replaced[Math.max(0, replaced.length - 1 - random.int(0, 8))]
  if (old !== null && old !== undefined) {
    return answeringFinally(history, {
      key,
      what: `${old.value} is there ${under(key)}, which ${named(last)} had replaced when it was acknowledged`,
      answer: () => JSON.parse(old.value),
    })
  }
  if (counts.has(initial)) return null
  return answeringFinally(history, {
    key,
    what: `${shown(JSON.parse(initial))} is there ${under(key)}, as if ${named(last)} had not been acknowledged`,
    answer: () => JSON.parse(initial),
  })
}

function named({ operation: { op_type: type, op_id: id } }: Write): string {
  return `${type} (operation ${JSON.stringify(id)})`
}
