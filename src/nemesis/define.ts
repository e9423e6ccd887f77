import { z } from 'zod'
import { DeclarationError, FaultError } from '../errors.js'
import { capabilityNames, type CapabilityName } from '../systems/capabilities.js'
import { evidenceSchema } from './evidence.js'
import type { FaultCategory, FaultDefinition, InjectContext, Injection } from './fault.js'
import { problemsOf } from '../problems.js'

/** A fault of the user's own. */
export interface FaultSpec<Options> {
  readonly name: string
  readonly category: FaultCategory
  /** Capabilities that the system must offer. Default none. */
  readonly needs?: readonly CapabilityName[]
  /** Validates the options at the declaration. Default: anything. */
  readonly options?: z.ZodType<Options>
  /** True when the fault ends by itself. */
  readonly oneShot?: boolean
  /**
   * Puts the fault in place. Journal whatever must be taken back (`context.journal.open`) before doing it, and call
   * `context.injecting()` right before the first change.
   */
  inject(context: InjectContext, options: Options): Promise<Injection>
}

const functionSchema = z.custom<unknown>((value) => typeof value === 'function', 'expected a function')

const specSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/, "expected a name in lower case such as 'bit-flip'"),
  category: z.enum(['process', 'network', 'storage', 'time', 'cluster']),
  needs: z.array(z.enum(capabilityNames)).optional(),
  options: z.custom<unknown>((value) => value instanceof z.ZodType, 'expected a zod schema').optional(),
  oneShot: z.boolean().optional(),
  inject: functionSchema,
})

const injectionSchema = z.looseObject({
  target: z.string().min(1),
  mechanism: z.string().min(1),
  affects: z.array(z.string()),
  evidence: functionSchema,
  heal: functionSchema,
  objection: functionSchema.optional(),
  bypasses: functionSchema.optional(),
  lost: functionSchema.optional(),
})

/**
 * A definition whose callbacks are checked: what they return wrongly becomes a FaultError that names fault, callback
 * and field. Throws DeclarationError for an incomplete spec or a name in `taken`.
 */
export function defineFault<Options>(
  spec: FaultSpec<Options>,
  taken: readonly string[],
): FaultDefinition<Options> {
  const parsed = specSchema.safeParse(spec)
  if (!parsed.success) {
    throw new DeclarationError('nemesis', `nemesis.define(): ${problemsOf(parsed.error)}`)
  }
  if (taken.includes(spec.name)) {
    throw new DeclarationError('nemesis', `nemesis.define(): '${spec.name}' is a built-in fault`, {
      hint: 'choose another name',
    })
  }
  return {
    name: spec.name,
    category: spec.category,
    needs: spec.needs ?? [],
    options: spec.options ?? (z.looseObject({}) as unknown as z.ZodType<Options>),
    ...(spec.oneShot === undefined ? {} : { oneShot: spec.oneShot }),
    async inject(context, options) {
      const returned: unknown = await spec.inject(context, options)
      checked(`${spec.name}: inject()`, injectionSchema, returned)
      return checkedInjection(spec.name, returned as Injection)
    },
  }
}

function checkedInjection(name: string, injection: Injection): Injection {
  return {
    target: injection.target,
    mechanism: injection.mechanism,
    affects: injection.affects,
    evidence: async () => checked(`${name}: evidence()`, z.array(evidenceSchema), await injection.evidence()),
    heal: async () => checked(`${name}: heal()`, z.array(evidenceSchema), await injection.heal()),
    objection: () => checked(`${name}: objection()`, z.string().nullable(), injection.objection?.() ?? null),
    bypasses: async () =>
      checked(`${name}: bypasses()`, z.array(z.string()), (await injection.bypasses?.()) ?? []),
    lost: async () => checked(`${name}: lost()`, z.string().nullable(), (await injection.lost?.()) ?? null),
  }
}

function checked<T>(where: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new FaultError(
    'define',
    `${where} returned something else than was expected: ${problemsOf(parsed.error)}`,
    {
      hint: 'see FaultSpec and Injection in the types of this package',
    },
  )
}
