import type { Nemesis } from './fault.js'

/** A declared fault in words, for reports: `partition isolate=leader at 3s for 4s`. */
export function describeNemesis({ definition, options, schedule }: Nemesis): string {
  const when = (['at', 'for', 'every', 'until'] as const).flatMap((name) => {
    const given = schedule[name]
    return given === undefined ? [] : [`${name} ${typeof given === 'function' ? 'an event' : given}`]
  })
  return [faultInWords({ definition, options }), ...when].join(' ')
}

/** The same without its times: `partition isolate=leader`. */
export function faultInWords({ definition, options }: Pick<Nemesis, 'definition' | 'options'>): string {
  return [definition.name, optionsInWords(options)].filter((part) => part !== '').join(' ')
}

/** `isolate=leader mode=reject`; hooks have no words. */
export function optionsInWords(options: unknown): string {
  return Object.entries((options ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined && typeof value !== 'function')
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}
