import type { Random } from '../random/random.js'
import { Mutants, type Drawn } from './mutants.js'
import type { CleanHistory, Mutation } from './mutation.js'

/**
 * The mutants to ask about, by the seed: the first one of the whole history, of a mutation that the small bases have no
 * place for if there is one; the others of the bases in turn, and of the whole history again when these have no more.
 */
export function* planned(
  history: CleanHistory,
  {
    bases,
    mutations,
    wanted,
    random,
  }: {
    bases: readonly CleanHistory[]
    mutations: readonly Mutation[]
    wanted: number
    random: Random
  },
): Generator<Drawn> {
  const small = fromBases(bases, { mutations, wanted: wanted - 1, random: random.fork('parts') })
  const found = new Set(small.map(({ mutation }) => mutation))
  const lacking = mutations.filter(({ name }) => !found.has(name))
  const whole = new Mutants(history, { mutations, random: random.fork('whole') })
  let count = 0
  const first =
    new Mutants(history, { mutations: lacking, random: random.fork('lacking') }).next() ?? whole.next()
  if (first !== null) {
    count += 1
    yield first
  }
  for (const mutant of small) {
    count += 1
    yield mutant
  }
  while (count < wanted) {
    const mutant = whole.next()
    if (mutant === null) return
    if (mutant.mutation === first?.mutation && mutant.what === first.what) continue
    count += 1
    yield mutant
  }
}

function fromBases(
  bases: readonly CleanHistory[],
  { mutations, wanted, random }: { mutations: readonly Mutation[]; wanted: number; random: Random },
): Drawn[] {
  let sources = bases.map(
    (base, index) => new Mutants(base, { mutations, random: random.fork(String(index)) }),
  )
  const drawn: Drawn[] = []
  for (let turn = 0; drawn.length < wanted && sources.length > 0; turn += 1) {
    const source = sources[turn % sources.length] as Mutants
    const mutant = source.next()
    if (mutant === null) sources = sources.filter((other) => other !== source)
    else drawn.push(mutant)
  }
  return drawn
}
