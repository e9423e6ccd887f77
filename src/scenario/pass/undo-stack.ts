/** What has to be taken back at the end, the last thing first, whatever goes wrong on the way. */
export class UndoStack {
  readonly #undos: (() => unknown)[] = []

  push(undo: () => unknown): void {
    this.#undos.push(undo)
  }

  /** Takes everything back. Throws the first error after all have been tried. Safe to call twice. */
  async unwind(): Promise<void> {
    const errors: unknown[] = []
    for (let undo = this.#undos.pop(); undo !== undefined; undo = this.#undos.pop()) {
      try {
        await undo()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }
}
