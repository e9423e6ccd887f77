export const toolKinds = [
  'package-script',
  'make-target',
  'just-recipe',
  'task',
  'xtask',
  'compose',
  'layout',
  'suite',
  'document',
  'workflow',
] as const
export type ToolKind = (typeof toolKinds)[number]

/** Something that a repository offers for testing and operating its system. */
export interface Tool {
  readonly kind: ToolKind
  readonly name: string
  /** What a person types in the root of the repository; null where there is nothing to run. */
  readonly command: string | null
  /** Where it was found: a file or a folder. */
  readonly file: string
}

/** Finds tools in files of a kind. Pure: it sees texts only. */
export interface ToolParser {
  matches(file: string): boolean
  parse(file: string, text: string): readonly Tool[]
}

/** A word of a command line as a person may paste it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** The folder of a file; empty in the root. */
export function folderOf(file: string): string {
  const end = file.lastIndexOf('/')
  return end === -1 ? '' : file.slice(0, end)
}

export function baseOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}
