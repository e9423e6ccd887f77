import { DeclarationError } from '../errors.js'
import type { Random } from '../random/random.js'
import type { SystemNode } from '../systems/system.js'
import { confusions, type Confusion, type IdentifierPair } from './confusable/confusion.js'

/** What a control works with, on the live system, at rest after the faults. */
export interface ControlContext<Client = unknown> {
  readonly nodes: readonly SystemNode[]
  /** One client connected to each node, in the order of `nodes`. */
  readonly clients: readonly Client[]
  /** Two identifiers: they look alike in the way that `confusable` asks for, and without it have nothing in common. */
  readonly pair: IdentifierPair
  readonly random: Random
  readonly signal: AbortSignal
}

/** How the attempt of a negative control ended: with an answer, or with an error. */
export type Attempt =
  | { readonly answer: unknown; readonly error: undefined }
  | { readonly answer: undefined; readonly error: unknown }

interface Common<Client> {
  /** Runs the control once for each of these ways to confuse two identifiers, with a `pair` drawn by the run's seed. */
  readonly confusable?: readonly Confusion[]
  /** Puts there what the control reads or must not reach. When it fails, the control says nothing. */
  prepare?(context: ControlContext<Client>): Promise<unknown>
}

/** What must be possible: otherwise a refusal elsewhere proves nothing. */
export interface PositiveOptions<Client> extends Common<Client> {
  run(context: ControlContext<Client>): Promise<unknown>
  /** Whether the answer of `run` is what must be seen. */
  holds(answer: unknown, context: ControlContext<Client>): boolean | Promise<boolean>
}

/** What must be refused, and be seen to be refused. */
export interface NegativeOptions<Client> extends Common<Client> {
  /** Tries what is forbidden. It may throw. */
  attempt(context: ControlContext<Client>): Promise<unknown>
  /** Whether that was a refusal. A lost connection is none, and no error is none either: say what a refusal looks like. */
  refused(attempt: Attempt, context: ControlContext<Client>): boolean | Promise<boolean>
  /**
   * Looks for the refusal where operators would: the line of an audit log, a counter, the other side's unchanged data.
   * Resolves to what was seen, in words, or to null.
   */
  observed(context: ControlContext<Client>, attempt: Attempt): Promise<string | null> | string | null
}

export type Control<Client = unknown> =
  | ({ readonly kind: 'positive'; readonly name: string } & PositiveOptions<Client>)
  | ({ readonly kind: 'negative'; readonly name: string } & NegativeOptions<Client>)

/**
 * Declares controls of an arm: `control.positive(name, { run, holds })` for what must be possible, and
 * `control.negative(name, { attempt, refused, observed })` for what must be refused and be seen to be refused.
 * Both throw DeclarationError that names what is missing or wrong.
 */
export const control = {
  positive<Client>(name: string, options: PositiveOptions<Client>): Control<Client> {
    validate('positive', name, options, ['run', 'holds'])
    return { kind: 'positive', name, ...options }
  },
  negative<Client>(name: string, options: NegativeOptions<Client>): Control<Client> {
    validate('negative', name, options, ['attempt', 'refused', 'observed'])
    return { kind: 'negative', name, ...options }
  },
} as const

const hints = {
  positive: 'write { run: async ({ clients, signal }) => answer, holds: (answer) => true or false }',
  negative:
    'write { attempt, refused: ({ answer, error }) => true or false, observed: async (context) => what shows it, or null }: ' +
    'a denial that nobody can see proves nothing, and neither does the lack of an error',
} as const

function validate(
  kind: 'positive' | 'negative',
  name: string,
  given: object,
  functions: readonly string[],
): void {
  const options = (given ?? {}) as Readonly<Record<string, unknown>>
  const problems = typeof name === 'string' && name !== '' ? [] : ['its name is not a non-empty string']
  for (const part of functions) {
    if (typeof options[part] !== 'function') problems.push(`\`${part}\` is not a function`)
  }
  if (options['prepare'] !== undefined && typeof options['prepare'] !== 'function') {
    problems.push('`prepare` is not a function')
  }
  const known = [...functions, 'prepare', 'confusable']
  problems.push(
    ...Object.keys(options)
      .filter((option) => !known.includes(option))
      .map((option) => `there is no option \`${option}\``),
  )
  problems.push(...kindProblems(options['confusable']))
  if (problems.length === 0) return
  throw new DeclarationError('control', `control.${kind}('${name}'): ${problems.join('; ')}`, {
    hint: hints[kind],
  })
}

function kindProblems(kinds: unknown): string[] {
  if (kinds === undefined) return []
  const fits =
    Array.isArray(kinds) && kinds.length > 0 && kinds.every((kind) => confusions.includes(kind as Confusion))
  return fits ? [] : [`\`confusable\` is not a list of ${confusions.join(', ')}`]
}
