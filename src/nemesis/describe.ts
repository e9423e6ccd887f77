import type { Nemesis } from './fault.js'

/** A declared fault in words, for reports: `partition isolate=leader at 3s for 4s`. */
export function describeNemesis({ definition, options, schedule }: Nemesis): string {
  const when = [
    ...(schedule.at === undefined ? [] : [`at ${schedule.at}`]),
    ...(schedule.for === undefined ? [] : [`for ${schedule.for}`]),
  ]
  return [definition.name, optionsInWords(options), ...when].filter((part) => part !== '').join(' ')
}

/** `isolate=leader mode=reject` */
export function optionsInWords(options: unknown): string {
  return Object.entries((options ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}
