import { z } from 'zod'
import type { Json } from '../../json.js'

/** What an index in the manner of elle-cli asserts of a history: the answer of one of its models under some options. */
export const assertionSchema = z.object({
  model: z.string(),
  valid: z.union([z.boolean(), z.literal('unknown')]),
  /** The options of its command line as words, such as `{ "group-size": "3" }`. */
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
})
type Assertion = z.infer<typeof assertionSchema>

/** The same assertion in terms of our models and checkers. */
interface Translated {
  readonly model: string
  readonly options: { readonly nullRead?: 'unknown'; readonly params: Readonly<Record<string, Json>> }
  readonly expect: Readonly<Record<string, Assertion['valid']>>
}

/** What judges what its models judge. A read of nil by its registers is one whose value is not known. */
const judges: Readonly<Record<string, { model: string; checker: string; nullRead?: 'unknown' }>> = {
  bank: { model: 'ledger', checker: 'bank-total' },
  'cas-register': { model: 'cas-register', checker: 'linearizable', nullRead: 'unknown' },
  counter: { model: 'counter', checker: 'counter' },
  'long-fork': { model: 'rw-register', checker: 'long-fork' },
  mutex: { model: 'lock', checker: 'linearizable' },
  register: { model: 'register', checker: 'linearizable', nullRead: 'unknown' },
  set: { model: 'set', checker: 'set' },
  'set-full': { model: 'set', checker: 'set-full' },
}

/**
 * Says an assertion in our words. A model of which nothing here is the counterpart keeps its name as that of a checker,
 * which there is not: the assertion is then skipped as any other expectation of what is not available.
 */
export function translated({ model, valid, options = {} }: Assertion): Translated {
  const judge = Object.hasOwn(judges, model) ? judges[model] : undefined
  const params = Object.fromEntries(
    Object.entries(options).map(([name, value]) => [camelCase(name), plain(value)]),
  )
  if (judge === undefined) return { model, options: { params }, expect: { [model]: valid } }
  const { checker, nullRead } = judge
  return {
    model: judge.model,
    options: { params, ...(nullRead === undefined ? {} : { nullRead }) },
    expect: { [checker]: valid },
  }
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The number or truth that a word stands for. */
function plain(value: string | number | boolean): Json {
  if (value === 'true' || value === 'false') return value === 'true'
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}
