/** Finds out which files of a project a file uses, as far as its text says so. */
export type References = (file: string, text: string) => readonly string[]

/** What is known of a project when references are looked up. */
export interface ProjectIndex {
  readonly files: ReadonlySet<string>
  readonly texts: ReadonlyMap<string, string>
}

/** `a/b/../c` as `a/c`; null for what leaves the project. */
export function joined(folder: string, relative: string): string | null {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of relative.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null
    } else if (part !== '.' && part !== '') {
      parts.push(part)
    }
  }
  return parts.join('/')
}
