import type { Property } from './property.js'

/** The `sometimes()` properties that came true in no run, by name; also those that were declared and never evaluated. */
export function neverHeld(runs: readonly (readonly Property[])[], declared: readonly string[]): string[] {
  const all = runs.flat().filter(({ kind }) => kind === 'sometimes')
  const held = new Set(all.filter((property) => property.held > 0).map(({ name }) => name))
  return [...new Set([...declared, ...all.map(({ name }) => name)])].filter((name) => !held.has(name))
}
