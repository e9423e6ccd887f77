/** A test that is there already. */
export interface TestCase {
  readonly framework: string
  readonly file: string
  readonly line: number
  readonly name: string
  /** The folder or package that it is about. */
  readonly subsystem: string
}

/** Finds the tests of a language in its files. Pure: it sees texts only. */
export interface TestParser {
  matches(file: string): boolean
  /** The framework, and the tests with the place where each begins in the text. */
  parse(file: string, text: string): { readonly framework: string; readonly tests: readonly Found[] }
}

export interface Found {
  readonly name: string
  readonly index: number
}

/** Folders that say how code is laid out, not what it is about. */
const layout =
  /^(?:src|tests?|__tests__|spec|specs|lib|java|kotlin|main|python|packages|crates|components|modules|services|apps|libs|pkg|internal|cases)$/

/** What a file is about, told by the first two of its folders that say so; `.` in the root. */
export function subsystemOf(file: string): string {
  const folders = file.split('/').slice(0, -1)
  const telling = folders.filter((folder) => !layout.test(folder))
  return telling.slice(0, 2).join('/') || folders[0] || '.'
}
