import { none, registerKind, type Part } from '../part.js'
import { illegal, role, type Behaviour, type Problem } from './problem.js'

/**
 * A register's operations as the search takes them; null when the part is of another type of object. States are ids of
 * values, and told as such unless `describe` says otherwise.
 */
export function registerProblem(part: Part, describe: (value: number) => string = String): Problem | null {
  if (part.object !== 'register') return null
  const { count, invoke, complete, events } = part
  const kinds = kindsOf(part)
  const { needs, gives, denies, roles } = kinds
  const behaviour: Behaviour = {
    initial: 0,
    kinds: roles.length,
    roles,
    step(state, kind) {
      const needed = needs[kind] as number
      if (needed !== none && needed !== state) return illegal
      if (denies[kind] === state) return illegal
      const given = gives[kind] as number
      return given === none ? state : given
    },
    value: { values: part.values, needs, gives, denies },
    describe,
    bytes: 0,
  }
  return { count, invoke, complete, events, kind: kinds.kind, behaviour }
}

interface Kinds {
  readonly kind: Int32Array
  readonly needs: Int32Array
  readonly gives: Int32Array
  readonly denies: Int32Array
  readonly roles: Uint8Array
}

/**
 * Reads, writes and refusals of a value are kinds by their value; each pair of values of a CAS is one more. A CAS that
 * leaves what it met only observes. One of unknown outcome is one that was applied, where it was.
 */
function kindsOf({ count, kind: code, a, b, values }: Part): Kinds {
  const kind = new Int32Array(count)
  const pairs = new Map<number, number>()
  const deniers = code.includes(registerKind.differs) ? values : 0
  const plain = 2 * values + deniers
  for (let operation = 0; operation < count; operation += 1) {
    const value = a[operation] as number
    switch (code[operation] as number) {
      case registerKind.read:
        kind[operation] = value
        break
      case registerKind.write:
        kind[operation] = values + value
        break
      case registerKind.differs:
        kind[operation] = 2 * values + value
        break
      default: {
        const pair = value * values + (b[operation] as number)
        const known = pairs.get(pair) ?? pairs.size
        pairs.set(pair, known)
        kind[operation] = plain + known
      }
    }
  }
  const size = plain + pairs.size
  const needs = new Int32Array(size).fill(none)
  const gives = new Int32Array(size).fill(none)
  const denies = new Int32Array(size).fill(none)
  const roles = new Uint8Array(size)
  for (let value = 0; value < values; value += 1) {
    needs[value] = value
    gives[values + value] = value
    roles[values + value] = role.overwrite
    if (deniers > 0) denies[2 * values + value] = value
  }
  for (const [pair, known] of pairs) {
    const expected = Math.floor(pair / values)
    const next = pair % values
    needs[plain + known] = expected
    if (next === expected) continue
    gives[plain + known] = next
    roles[plain + known] = role.other
  }
  return { kind, needs, gives, denies, roles }
}
