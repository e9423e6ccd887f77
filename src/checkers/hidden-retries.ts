import type { Columns } from '../history/columns.js'
import { canonical } from '../models/canonical.js'

const mostNamed = 3

/**
 * Operations that the system's own audit saw more often than clients recorded them: a client library repeats them by
 * itself. Then an operation of unknown outcome may take effect twice, which no checker of the clients' history expects.
 *
 * Both histories are counted by type, key and input, whatever the outcome. A sentence for each, the first three, and how
 * many there are; empty when the audit saw nothing more often.
 */
export function hiddenRetries(recorded: Columns, audit: Columns): string[] {
  const invoked = countsOf(recorded)
  const repeated = [...countsOf(audit)].flatMap(([name, seen]) => {
    const times = invoked.get(name) ?? 0
    return seen > times ? [`the audit saw ${name} ${seen} times, and clients recorded it ${times} times`] : []
  })
  if (repeated.length === 0) return []
  const more = repeated.length > mostNamed ? [`… and ${repeated.length - mostNamed} more`] : []
  return [
    ...repeated.slice(0, mostNamed),
    ...more,
    'turn off the retries of the client, or record each of them as an operation of its own',
  ]
}

function countsOf(columns: Columns): Map<string, number> {
  const counts = new Map<string, number>()
  for (let index = 0; index < columns.count; index += 1) {
    const { op_type: type, key, input } = columns.operationAt(index)
    const place = key === null ? '' : ` of key ${canonical(key)}`
    const name = `${type}(${input === null ? '' : canonical(input)})${place}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}
