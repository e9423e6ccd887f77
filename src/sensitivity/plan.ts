import type { Random } from '../random/random.js'
import type { Bases } from './bases.js'
import { withChange } from './change.js'
import type { Forbidden } from './forbids.js'
import { Mutants, type Drawn } from './mutants.js'
import type { CleanHistory } from './mutation.js'

export interface Question extends Drawn {
  /** The mutant is as long as the whole history. */
  readonly isWhole: boolean
}

/**
 * The mutants to ask about, by the seed: one of the whole history, the others of small parts in turn, and when these offer
 * no more of a larger part and of the whole again.
 *
 * Where a violation in the beginning of what happened to an object is one in the whole history, the first is drawn from
 * such a beginning too, since to look through a long history can take longer than to check it.
 */
export function* planned(
  history: CleanHistory,
  {
    bases: { parts, reserve, kind },
    forbidden: { mutations, isClosed },
    wanted,
    random,
  }: { bases: Bases; forbidden: Forbidden; wanted: number; random: Random },
): Generator<Question> {
  const seen = new Set<string>()
  const small = parts.map(
    (part, index) => new Mutants(part, { mutations, random: random.fork(`part ${index}`), seen }),
  )
  const whole = new Mutants(history, { mutations, random: random.fork('whole'), seen })
  const ofPart = isClosed && kind === 'prefixes' ? (small[0]?.next() ?? null) : null
  const first =
    ofPart === null
      ? whole.next()
      : {
          ...ofPart,
          operations: withChange(history.operations, ofPart.change),
          collected: history.collected,
        }
  let count = 0
  if (first !== null) {
    yield { ...first, isWhole: true }
    count += 1
  }
  let sources = small
  for (let turn = 1; count < wanted && sources.length > 0; turn += 1) {
    const source = sources[turn % sources.length] as Mutants
    const mutant = source.next()
    if (mutant === null) sources = sources.filter((other) => other !== source)
    else {
      yield { ...mutant, isWhole: false }
      count += 1
    }
  }
  const larger = reserve && new Mutants(reserve, { mutations, random: random.fork('reserve'), seen })
  for (; count < wanted; count += 1) {
    const mutant = larger?.next() ?? null
    if (mutant === null) break
    yield { ...mutant, isWhole: false }
  }
  for (; count < wanted; count += 1) {
    const mutant = whole.next()
    if (mutant === null) return
    yield { ...mutant, isWhole: true }
  }
}
