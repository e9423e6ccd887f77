import { isDocument } from '../../../environment/toolbox/documents.js'
import type { ChangedFile } from './change.js'
import { importsOf } from './imports.js'
import { languageOf, type Language } from './language.js'
import { piecesOf } from './pieces.js'

/** Why a file that changed needs no distributed test. */
export type Trivial = 'documents' | 'comments' | 'imports' | 'typos'

const pictures = /\.(?:png|jpe?g|gif|svg|webp)$/i
const legal = /(?:^|\/)(?:LICENSE|NOTICE|AUTHORS|CODEOWNERS|OWNERS)$/

/** Why the change of a file cannot change what the system does; null when it may. What is not sure may. */
export function trivialityOf({ file, status, before, after }: ChangedFile): Trivial | null {
  if (isDocument(file) || pictures.test(file) || legal.test(file)) return 'documents'
  const language = languageOf(file)
  if (language === null || status !== 'modified' || before === null || after === null) return null
  const [earlier, later] = [withoutComments(before, language), withoutComments(after, language)]
  if (earlier === later) return before === after ? null : 'comments'
  if (onlyDropsImports(earlier, later, language)) return 'imports'
  return onlyTypos(before, after, language) ? 'typos' : null
}

function withoutComments(text: string, language: Language): string {
  const code = piecesOf(text, language)
    .filter(({ kind }) => kind !== 'comment')
    .map(({ text: piece }) => piece)
  return tidied(code.join(''))
}

/** Without blank lines and blanks at the ends of lines; indentation stays, as it may mean something. */
function tidied(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
}

/** True when imports were taken out or put in another order and nothing else changed. */
function onlyDropsImports(before: string, after: string, language: Language): boolean {
  const [earlier, later] = [importsOf(before, language), importsOf(after, language)]
  if (earlier === null || later === null || tidied(earlier.rest) !== tidied(later.rest)) return false
  if (earlier.forEffect || later.forEffect) return false
  return [...later.names].every((name) => earlier.names.has(name))
}

/** Texts that something may compare, parse or run. */
const meansSomething =
  /[_/\\.:=<>{}$%@#]\w|\b(?:select|insert|update|delete|create|alter|drop)\b|^\S*\s?\S*$/i
const mostLetters = 2

/** True when only letters of messages differ: sentences in strings that a person reads. */
function onlyTypos(before: string, after: string, language: Language): boolean {
  const [earlier, later] = [before, after].map((text) =>
    piecesOf(text, language).filter(({ kind }) => kind !== 'comment'),
  )
  if (earlier === undefined || later === undefined || earlier.length !== later.length) return false
  return earlier.every((piece, index) => {
    const other = later[index]
    if (other === undefined || other.kind !== piece.kind) return false
    if (piece.kind === 'code') return tidied(piece.text) === tidied(other.text)
    return piece.text === other.text || isTypo(piece.text, other.text)
  })
}

function isTypo(before: string, after: string): boolean {
  if (meansSomething.test(before.slice(1, -1)) || meansSomething.test(after.slice(1, -1))) return false
  const [earlier, later] = [before.split(/\s+/), after.split(/\s+/)]
  return (
    earlier.length === later.length &&
    earlier.length > 2 &&
    earlier.every((word, index) => differingLetters(word, later[index] ?? '') <= mostLetters)
  )
}

/** Letters left between what two words begin and end with in common. Digits count as more than a typo. */
function differingLetters(one: string, other: string): number {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  let end = 0
  const most = Math.min(one.length, other.length) - start
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const left = one.slice(start, one.length - end)
  const right = other.slice(start, other.length - end)
  if (/\d/.test(left + right) || (left !== '' && one.length < 4)) return mostLetters + 1
  return Math.max(left.length, right.length)
}
