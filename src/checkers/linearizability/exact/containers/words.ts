import { none } from '../../part.js'
import type { Elements } from './elements.js'

/** The puts and takes of elements. */
export function lives({ put, take }: Elements, values: readonly number[]): number[] {
  return values
    .flatMap((element) => [put[element] as number, take[element] as number])
    .filter((operation) => operation !== none)
}

/** `a`, `a and b`, `a, b and c`; the middle of a long list is left out. */
export function listed(names: readonly string[]): string {
  if (names.length <= 1) return names.join('')
  if (names.length > 8)
    return `${names.slice(0, 3).join(', ')}, … (${names.length} in all) and ${names.at(-1)}`
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** `1 take of unknown outcome`, `2 takes of unknown outcome`. */
export function unknownTakesIn(count: number): string {
  return `${count} ${count === 1 ? 'take' : 'takes'} of unknown outcome`
}

/** That the elements of a covering chain were there, one or the other, all the while. */
export function thereAllAlong(names: readonly string[]): string {
  if (names.length === 1) return `${names[0]} was there all the while`
  return `${listed(names)} were there in turn, one not taken before the next was put`
}
