import { FaultError } from '../../../errors.js'

/** What a hook told about the system, as evidence holds it. */
export type Reading = number | string

/** Evidence is for people: longer answers of hooks are cut. */
const charactersMax = 200

/** The answer of a hook that is asked for a reading. Throws FaultError when it told nothing. */
export function readingOf(answer: unknown, where: string): Reading {
  if (typeof answer === 'number' && Number.isFinite(answer)) return answer
  const text = textOf(answer)
  if (text !== null) return text
  throw new FaultError('hook', `${where} answered ${String(answer)}: expected a number or a text`)
}

/** `done in 24 ms: {"ok":true}`: what is recorded of a hook that changes something. */
export function doneInWords(answer: unknown, ms: number): string {
  const text = textOf(answer)
  return `done in ${Math.round(ms)} ms${text === null ? '' : `: ${text}`}`
}

function textOf(answer: unknown): string | null {
  if (answer === null || answer === undefined || typeof answer === 'function') return null
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  if (text === undefined) return null
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`
}
