import { z } from 'zod'
import type { Operation } from './operation.js'
import { validateOperation } from './validate.js'

/**
 * The sidecar of a history that is being recorded: what has been invoked, and which fault windows were open.
 *
 * An invocation is in the sidecar before the operation is sent, so after a kill every operation that may have
 * reached the system is either in the history or in the sidecar.
 */
export type JournalEntry =
  | { readonly invoke: Operation }
  | { readonly openWindow: string }
  | { readonly closeWindow: string }

const entrySchema = z.union([
  z.strictObject({ invoke: z.custom<unknown>((value) => value !== undefined) }),
  z.strictObject({ openWindow: z.string() }),
  z.strictObject({ closeWindow: z.string() }),
])

/** Where the sidecar of a history is. */
export function journalFile(history: string): string {
  return `${history}.open`
}

/** One entry as a line, newline included. */
export function journalLine(entry: JournalEntry): string {
  return `${JSON.stringify(entry)}\n`
}

/** What `JSON.parse` returned for a line of a sidecar, or null when it is not an entry. */
export function journalEntry(value: unknown): JournalEntry | null {
  const entry = entrySchema.safeParse(value)
  if (!entry.success) return null
  if (!('invoke' in entry.data)) return entry.data
  const judged = validateOperation(entry.data.invoke)
  return 'operation' in judged ? { invoke: judged.operation } : null
}

/**
 * The operations that were invoked and are not among the completed ones, as unknown operations.
 *
 * Their fault epoch holds the windows that were open at their invocation and those that opened afterwards: an
 * unanswered operation lasts to the end.
 */
export function unanswered(
  entries: Iterable<JournalEntry>,
  completed: ReadonlySet<string | number>,
): Operation[] {
  const pending: { operation: Operation; windows: string[] }[] = []
  const open = new Set<string>()
  for (const entry of entries) {
    if ('openWindow' in entry) {
      open.add(entry.openWindow)
      for (const { windows } of pending) windows.push(entry.openWindow)
    } else if ('closeWindow' in entry) {
      open.delete(entry.closeWindow)
    } else if (!completed.has(entry.invoke.op_id)) {
      pending.push({ operation: entry.invoke, windows: [...open] })
    }
  }
  return pending.map(({ operation, windows }) => ({
    ...operation,
    error: 'the recorder ended before an answer came',
    fault_epoch: windows.length === 0 ? null : windows.join('+'),
  }))
}
