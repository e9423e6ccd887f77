import type { Json } from '../../json.js'
import type { Player, Setting, Turn } from '../player.js'

/** Micro-operations of a transaction at most, and registers or lists at least. */
const longest = 4
const fewest = 3
/** A list that was appended to so often makes room for a new one: reads of ever longer lists would cost ever more. */
const fullList = 16

type MicroOperation = [does: string, key: string, value: Json]

/** Registers that transactions read and write. */
export function registerTransactions(
  { semantics, keys }: Setting,
  { read, write }: { readonly read: string; readonly write: string },
): Player {
  const given = (semantics.init ?? {}) as Readonly<Record<string, Json>>
  const names = namesFor(keys.length, Object.keys(given))
  const values = new Map(Object.entries(given))
  return transactions(
    ({ random, fresh }) => {
      const key = random.pick(names)
      return random.int(0, 1) === 0 ? [read, key, null] : [write, key, fresh()]
    },
    (step) => {
      const [does, key, value] = step
      if (does === read) return [does, key, values.get(key) ?? null]
      values.set(key, value)
      return step
    },
  )
}

/** Lists that transactions read and append to. */
export function listTransactions({ semantics, keys }: Setting): Player {
  const given = (semantics.init ?? {}) as Readonly<Record<string, readonly Json[]>>
  /** Never changed once they are there: answers hold them. */
  const lists = new Map<string, readonly Json[]>(Object.entries(given))
  const names = namesFor(keys.length, Object.keys(given))
  const appends = names.map((name) => lists.get(name)?.length ?? 0)
  let lastName = names.length
  return transactions(
    ({ random, fresh }) => {
      const place = random.int(0, names.length - 1)
      const key = names[place] as string
      if (random.int(0, 1) === 0) return ['r', key, null]
      const count = (appends[place] ?? 0) + 1
      appends[place] = count < fullList ? count : 0
      if (count >= fullList) names[place] = `k${lastName++}`
      return ['append', key, fresh()]
    },
    (step) => {
      const [does, key, value] = step
      const list = lists.get(key) ?? []
      if (does === 'r') return [does, key, list as Json[]]
      lists.set(key, [...list, value])
      return step
    },
  )
}

function transactions(
  draw: (turn: Turn) => MicroOperation,
  answer: (step: MicroOperation) => MicroOperation,
): Player {
  return {
    draw: (turn) => ({
      type: 'txn',
      key: null,
      input: Array.from({ length: turn.random.int(1, longest) }, () => draw(turn)),
    }),
    answer: ({ input }) => (input as MicroOperation[]).map(answer),
  }
}

/** The names that are there, and as many more as are wanted. */
function namesFor(wanted: number, given: readonly string[]): string[] {
  const more = Math.max(0, Math.max(wanted, fewest) - given.length)
  const free = Array.from({ length: given.length + more }, (_, place) => `k${place}`)
  return [...given, ...free.filter((name) => !given.includes(name)).slice(0, more)]
}
