import type { UndoJournal } from '../../src/nemesis/undo/journal.js'

/** A journal that tells how many of its entries are open. */
export function countingJournal(journal: UndoJournal): UndoJournal & { openEntries(): number } {
  const open = new Set<string>()
  return {
    openEntries: () => open.size,
    async open(undo) {
      const id = await journal.open(undo)
      open.add(id)
      return id
    },
    async close(id) {
      await journal.close(id)
      open.delete(id)
    },
  }
}
