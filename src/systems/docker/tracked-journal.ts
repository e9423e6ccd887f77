import type { UndoJournal } from '../../nemesis/undo/journal.js'

/** A journal that knows which of its entries are open. */
export interface TrackedJournal extends UndoJournal {
  /** Closes every entry that is open. */
  closeAll(): Promise<void>
}

/** Keeps track of the entries that go through it into the run's journal. */
export function trackedJournal(journal: UndoJournal): TrackedJournal {
  const entries = new Set<string>()
  const close = async (id: string): Promise<void> => {
    if (!entries.delete(id)) return
    await journal.close(id)
  }
  return {
    async open(undo) {
      const id = await journal.open(undo)
      entries.add(id)
      return id
    },
    close,
    async closeAll() {
      for (const id of [...entries]) await close(id)
    },
  }
}
