import { z } from 'zod'
import { undoSchema, type Undo } from './journal.js'

/**
 * A journal is one JSON object a line: first the owner, then entries as they are opened and closed. A line counts when
 * it ends with a newline: only then did the one who wrote it go on and inject.
 */
export const ownerSchema = z.strictObject({
  pid: z.int(),
  /** Tells the owner from a later process with the same pid; null where it could not be read. */
  startTime: z.string().nullable(),
  run: z.string(),
  /** The machine or container that the pid belongs to; several may share the directory of journals. */
  host: z.string(),
  cwd: z.string(),
})
export type JournalOwner = z.infer<typeof ownerSchema>

const lineSchema = z.union([
  z.strictObject({ owner: ownerSchema }),
  z.strictObject({ open: z.string(), undo: undoSchema }),
  z.strictObject({ close: z.string() }),
])
export type JournalLine = z.infer<typeof lineSchema>

/** What a journal holds. */
export interface JournalContent {
  /** Null when the first line cannot be read. */
  readonly owner: JournalOwner | null
  /** Entries that are not closed, in the order of opening. */
  readonly open: readonly { readonly id: string; readonly undo: Undo }[]
  /** Numbers of complete lines that cannot be read: what they held cannot be undone. */
  readonly unreadable: readonly number[]
}

export function formatLine(line: JournalLine): string {
  return `${JSON.stringify(line)}\n`
}

/** Parses a journal. A last line without a newline was being written when the run died, and is left out. */
export function parseJournal(text: string): JournalContent {
  let owner: JournalOwner | null = null
  const open = new Map<string, Undo>()
  const unreadable: number[] = []
  text
    .split('\n')
    .slice(0, -1)
    .forEach((source, index) => {
      const line = parseLine(source)
      if (line === null) unreadable.push(index + 1)
      else if ('owner' in line) owner = line.owner
      else if ('open' in line) open.set(line.open, line.undo)
      else open.delete(line.close)
    })
  return { owner, open: [...open].map(([id, undo]) => ({ id, undo })), unreadable }
}

function parseLine(source: string): JournalLine | null {
  try {
    return lineSchema.safeParse(JSON.parse(source)).data ?? null
  } catch {
    // Not JSON: reported by its number.
    return null
  }
}
