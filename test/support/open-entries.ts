import type { Undo, UndoJournal } from '../../src/nemesis/undo/journal.js'

/** A journal in memory. */
export interface OpenEntries extends UndoJournal {
  /** What is open, by id, in the order of opening. */
  readonly entries: ReadonlyMap<string, Undo>
}

export function openEntries(): OpenEntries {
  const entries = new Map<string, Undo>()
  let opened = 0
  return {
    entries,
    async open(undo) {
      const id = String(++opened)
      entries.set(id, undo)
      return id
    },
    async close(id) {
      if (!entries.delete(id)) throw new Error(`journal entry ${id} closed twice`)
    },
  }
}
