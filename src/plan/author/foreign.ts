import { comment } from './code/text.js'

const slashes = [
  'go',
  'rust',
  'java',
  'javascript',
  'js',
  'c',
  'cpp',
  'c++',
  'csharp',
  'c#',
  'kotlin',
  'scala',
  'swift',
  'zig',
]
const dashes = ['sql', 'haskell', 'lua']
const semicolons = ['clojure', 'lisp', 'scheme', 'fennel']

/** How a line comment begins in a language; `#` in one that nobody here knows, as in most that are left. */
export function commentMark(language: string): string {
  const name = language.trim().toLowerCase()
  if (slashes.includes(name)) return '//'
  if (dashes.includes(name)) return '--'
  return semicolons.includes(name) ? ';;' : '#'
}

/** A skeleton in another language, as the plan has it, below the line that says where it comes from. */
export function verbatim(skeleton: string, language: string, origin: string): string {
  const header = comment(origin, commentMark(language))
  const [first = '', ...rest] = skeleton.split('\n')
  const lines = first.startsWith('#!') ? [first, header, ...rest] : [header, first, ...rest]
  return `${lines.join('\n').trimEnd()}\n`
}

/** True for the languages that are generated instead. */
export function isGenerated(language: string | undefined): boolean {
  return language === undefined || /^(?:typescript|ts)$/i.test(language.trim())
}
