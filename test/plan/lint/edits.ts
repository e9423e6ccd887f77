/** Throws when the plan has no such text, so that no edit silently does nothing. */
export function swap(from: string | RegExp, to: string): (source: string) => string {
  return (source) => {
    const edited = source.replace(from, to)
    if (edited === source) throw new Error(`the plan has no ${String(from)}`)
    return edited
  }
}

/** Takes a text out. */
export const drop = (line: RegExp) => swap(line, '')

/** One edit after another. */
export function both(...edits: readonly ((source: string) => string)[]): (source: string) => string {
  return (source) => edits.reduce((text, edit) => edit(text), source)
}
