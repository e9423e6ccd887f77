import { shown } from '../../../checkers/words.js'
import type { Json } from '../../../json.js'
import type { Access, ValueHistory } from './accesses.js'

/**
 * The only operation that can have left the value, if it was acknowledged; `initial` when nothing can have left it but
 * the start; null when that is not sure.
 */
export function soleWriter(history: ValueHistory, value: string): Access | 'initial' | null {
  const writers = history.writers.get(value) ?? []
  if (value === history.initial) return writers.length === 0 ? 'initial' : null
  const [writer] = writers
  return writers.length === 1 && writer?.ok === true ? writer : null
}

/** For words: a value that is given as canonical JSON. */
export function value(text: string): string {
  return shown(parsed(text))
}

/** The value that canonical JSON stands for. */
export function parsed(text: string): Json {
  return JSON.parse(text) as Json
}

/** For words: what an operation that said what it met is called. */
export function met({ operation: { op_type: type, op_id: id } }: Access): string {
  return `${type} (operation ${JSON.stringify(id)})`
}

/** For words: an operation by its id. */
export function named({ operation: { op_id: id } }: Access): string {
  return `operation ${JSON.stringify(id)}`
}
