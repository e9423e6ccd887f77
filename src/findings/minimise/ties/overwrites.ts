import type { Operation } from '../../../history/operation.js'
import { countUpTo } from './lists.js'

type Key = Operation['key']

/** Which writes of a register an operation may have met, by time alone. */
export class Overwrites {
  readonly #ofKey = new Map<
    Key,
    { readonly completed: readonly number[]; readonly latest: readonly number[] }
  >()

  /** Takes every operation that leaves a value, by the register that it leaves it in. */
  constructor(writers: ReadonlyMap<Key, readonly { readonly operation: Operation }[]>) {
    for (const [key, its] of writers) {
      const completed: number[] = []
      const latest: number[] = []
      const answered = its
        .map(({ operation }) => operation)
        .filter(({ complete_ts }) => complete_ts !== null)
        .toSorted((one, other) => (one.complete_ts as number) - (other.complete_ts as number))
      for (const { invoke_ts: invoked, complete_ts } of answered) {
        completed.push(complete_ts as number)
        latest.push(Math.max(latest.at(-1) ?? -1, invoked))
      }
      this.#ofKey.set(key, { completed, latest })
    }
  }

  /** False when real time puts the reader before the write, or another write wholly between them. */
  mayMeet(reader: Operation, key: Key, writer: Operation): boolean {
    if (reader.complete_ts !== null && writer.invoke_ts > reader.complete_ts) return false
    return writer.complete_ts === null || writer.complete_ts >= this.#hiddenBefore(reader, key)
  }

  /** The latest invocation of a write that had returned before the reader began. */
  #hiddenBefore(reader: Operation, key: Key): number {
    const { completed = [], latest = [] } = this.#ofKey.get(key) ?? {}
    const count = countUpTo(completed, reader.invoke_ts - 1, (at) => at)
    return latest[count - 1] ?? -1
  }
}
