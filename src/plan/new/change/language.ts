/** What must be known of a language to tell code from comments. */
export interface Language {
  readonly name: 'javascript' | 'go' | 'rust' | 'python' | 'jvm' | 'c'
  readonly lineComment: '//' | '#'
  readonly blockComments: boolean
}

const slashes = { lineComment: '//', blockComments: true } as const
const languages: readonly (readonly [files: RegExp, language: Language])[] = [
  [/\.[cm]?[jt]sx?$/, { name: 'javascript', ...slashes }],
  [/\.go$/, { name: 'go', ...slashes }],
  [/\.rs$/, { name: 'rust', ...slashes }],
  [/\.(?:java|kt|scala)$/, { name: 'jvm', ...slashes }],
  [/\.(?:c|h|cc|cpp|hpp|cxx)$/, { name: 'c', ...slashes }],
  [/\.py$/, { name: 'python', lineComment: '#', blockComments: false }],
]

/** The language of a file; null for one whose comments are not known. */
export function languageOf(file: string): Language | null {
  return languages.find(([files]) => files.test(file))?.[1] ?? null
}
