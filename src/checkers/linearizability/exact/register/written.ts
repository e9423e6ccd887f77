import { none, registerKind, type Part } from '../../part.js'
import { foundAmong, type Found } from './earliest.js'

/**
 * A read (or a CAS) that saw a value nobody had written when it returned. `writer` is the operation that wrote the
 * value later; `none` when there is none in the history up to `limit`.
 */
export function seenBeforeWritten(
  part: Part,
  { operation, writer, limit }: { operation: number; writer: number; limit: number },
): Found {
  const seen = part.a[operation] as number
  const verb = part.kind[operation] === registerKind.cas ? 'found' : 'saw'
  if (writer === none) {
    return foundAmong(part, {
      type: 'value-never-written',
      operations: [operation],
      limit,
      explain: ({ tell, value }) =>
        `${tell(operation)} ${verb} ${value(seen)}, which no operation of this history wrote.`,
    })
  }
  const { violation } = foundAmong(part, {
    type: 'value-from-the-future',
    operations: [operation, writer],
    limit,
    explain: ({ tell, value }) =>
      `${tell(operation)} ${verb} ${value(seen)} and had returned before ${tell(writer)} began, which wrote it.`,
  })
  return { violation, last: Math.min(part.complete[operation] as number, limit) }
}
