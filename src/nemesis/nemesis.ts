import { z } from 'zod'
import { DeclarationError } from '../errors.js'
import { milliseconds, type Duration } from '../time/duration.js'
import { defineFault, type FaultSpec } from './define.js'
import { faults, type FaultName, type FaultOptions } from './faults/index.js'
import type { FaultDefinition, LandingSignal, Nemesis, Schedule } from './fault.js'
import { parse } from './parse.js'
import { random } from './schedule/random.js'
import { overlap, sequence } from './schedule/sequence.js'
import { checkedTimes } from './schedule/times.js'
import { closest } from './suggest.js'

/** How long the evidence may take to come in, unless `landWithin` says otherwise. */
const landWithinDefaultMs = 5_000

/** How long a change may take unless `changeWithin` says otherwise. */
export const changeWithinDefaultMs = 60_000
/** The same for a fault that takes node after node, each with its time to end, to start and to get well. */
const rollWithinDefaultMs = 300_000

/** The options of a fault together with when it fires and what more to wait for. */
export type NemesisOptions<Options> = Options &
  Schedule & {
    /** Further signs that must change before the fault counts as landed, such as a term, or stand still under it. */
    readonly landing?: readonly LandingSignal[]
    /** The evidence must be in this long after the injection. Default 5 s. */
    readonly landWithin?: Duration
    /**
     * Putting the fault in place, and taking it back, may each take this long. Default one minute, and five for a fault
     * that takes one node after the other.
     */
    readonly changeWithin?: Duration
  }

function fault<Name extends FaultName>(name: Name, options: NemesisOptions<FaultOptions[Name]>): Nemesis {
  const known: Readonly<Record<string, FaultDefinition>> = faults
  const definition = Object.hasOwn(known, name) ? known[name] : undefined
  if (definition === undefined) throw unknownFault(name)
  return declare(definition, options)
}

/**
 * Defines a fault of the user's own and returns the function that declares it:
 * `const readOnly = nemesis.define({ name: 'read-only', … })`, then `nemesis: [readOnly({ node: 'n1', at: '1s' })]`.
 *
 * Throws DeclarationError when the definition is incomplete or takes the name of a built-in fault.
 */
function define<Options extends object = object>(
  spec: FaultSpec<Options>,
): (options?: NemesisOptions<Options>) => Nemesis {
  const definition = defineFault(spec, Object.keys(faults))
  return (options) => declare(definition, options ?? {})
}

/**
 * Declares a fault: `nemesis('partition', { isolate: 'leader', at: '3s', for: '4s' })`. Its functions put faults together
 * and define further ones.
 *
 * Throws DeclarationError for an unknown fault and for options that do not fit, each named by its path.
 */
export const nemesis = Object.assign(fault, { define, sequence, overlap, random })

const landingSchema = z.array(
  z.looseObject({
    name: z.string().min(1),
    expect: z.enum(['change', 'still']).optional(),
    sample: z.custom<LandingSignal['sample']>((value) => typeof value === 'function', 'expected a function'),
  }),
)

function declare(definition: FaultDefinition, given: unknown): Nemesis {
  const where = `nemesis('${definition.name}')`
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new DeclarationError(
      'nemesis',
      `${where}: expected an object of options, got ${JSON.stringify(given)}`,
    )
  }
  const {
    at,
    for: lasts,
    every,
    until,
    landing,
    landWithin,
    changeWithin,
    ...rest
  } = given as Record<string, unknown>
  const options = parse(where, definition.options, rest)
  if (definition.oneShot === true && lasts !== undefined) {
    throw new DeclarationError(
      'nemesis',
      `${where}: \`for\` has no meaning: a ${definition.name} ends by itself`,
      {
        hint: "leave it out; a longer outage is nemesis('stop', { node, for }) or nemesis('kill', { node, for })",
      },
    )
  }
  return {
    definition,
    options,
    schedule: {
      ...checkedTimes(where, { at, until }),
      ...(lasts === undefined ? {} : { for: checkedDuration(lasts, `${where}.for`) }),
      ...(every === undefined
        ? {}
        : { every: checkedPeriod(every, { where, lasts, oneShot: definition.oneShot === true }) }),
    },
    landing:
      landing === undefined ? [] : (parse(`${where}.landing`, landingSchema, landing) as LandingSignal[]),
    landWithinMs:
      landWithin === undefined
        ? landWithinDefaultMs
        : milliseconds(landWithin as Duration, `${where}.landWithin`),
    changeWithinMs:
      changeWithin === undefined
        ? definition.oneByOne === true
          ? rollWithinDefaultMs
          : changeWithinDefaultMs
        : milliseconds(changeWithin as Duration, `${where}.changeWithin`),
  }
}

function checkedDuration(value: unknown, what: string): Duration {
  milliseconds(value as Duration, what)
  return value as Duration
}

/** A period leaves the fault time to be gone before it comes again. */
function checkedPeriod(
  every: unknown,
  { where, lasts, oneShot }: { readonly where: string; readonly lasts: unknown; readonly oneShot: boolean },
): Duration {
  const period = checkedDuration(every, `${where}.every`)
  const stays = oneShot ? 0 : lasts === undefined ? null : milliseconds(lasts as Duration, `${where}.for`)
  if (stays !== null && stays < milliseconds(period)) return period
  const problem = stays === null ? 'stays until the end' : `stays for ${String(lasts)}`
  throw new DeclarationError('nemesis', `${where}: it ${problem}, so it cannot come again every ${period}`, {
    hint: 'give it a `for` that is shorter than `every`',
  })
}

function unknownFault(name: string): DeclarationError {
  const names = Object.keys(faults)
  const near = closest(name, names)
  return new DeclarationError(
    'nemesis',
    `nemesis('${name}'): no such fault${near === null ? '' : `; did you mean '${near}'?`}`,
    { hint: `there are ${names.join(', ')}; your own is made by nemesis.define({ … })` },
  )
}
