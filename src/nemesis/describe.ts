import type { Nemesis } from './fault.js'

/** A declared fault in words, for reports: `partition isolate=leader at 3s for 4s`. */
export function describeNemesis({ definition, options, schedule }: Nemesis): string {
  const told = Object.entries((options ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const when = [
    ...(schedule.at === undefined ? [] : [`at ${schedule.at}`]),
    ...(schedule.for === undefined ? [] : [`for ${schedule.for}`]),
  ]
  return [definition.name, ...told, ...when].join(' ')
}
