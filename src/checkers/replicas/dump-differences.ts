import diff from 'microdiff'
import type { Json } from '../../json.js'
import { shown } from '../words.js'

/** One place at which two dumps differ; absent values are undefined. */
export interface DumpDifference {
  /** The place, such as `users.3.name`; empty for the dump as a whole. */
  readonly path: string
  readonly left: Json | undefined
  readonly right: Json | undefined
}

/**
 * Where two dumps differ, place by place. `ignore` lists places that do not matter, as paths in which `*` stands for any
 * one name: `*.updatedAt`, `stats`. What lies below such a place does not matter either.
 */
export function dumpDifferences(
  left: Json,
  right: Json,
  { ignore = [] }: { ignore?: readonly string[] } = {},
): DumpDifference[] {
  const patterns = ignore.map((path) => path.split('.'))
  return diff({ dump: left }, { dump: right })
    .map((difference) => ({
      names: difference.path.slice(1).map(String),
      left: difference.type === 'CREATE' ? undefined : (difference.oldValue as Json),
      right: difference.type === 'REMOVE' ? undefined : (difference.value as Json),
    }))
    .filter(({ names }) => !patterns.some((pattern) => matches(pattern, names)))
    .map(({ names, ...values }) => ({ path: names.join('.'), ...values }))
}

function matches(pattern: readonly string[], names: readonly string[]): boolean {
  return (
    pattern.length <= names.length && pattern.every((part, index) => part === '*' || part === names[index])
  )
}

const told = 5

/** The first differences in words, such as `users.3.name is "a" on n1 and absent on n2`. */
export function tellDifferences(
  differences: readonly DumpDifference[],
  { left, right }: { left: string; right: string },
): string {
  const first = differences.slice(0, told).map((difference) => {
    const place = difference.path === '' ? 'the whole' : difference.path
    return `${place} is ${valueOf(difference.left)} ${left} and ${valueOf(difference.right)} ${right}`
  })
  const others = differences.length - first.length
  return [...first, ...(others > 0 ? [`${others} more`] : [])].join('; ')
}

function valueOf(value: Json | undefined): string {
  return value === undefined ? 'absent' : shown(value)
}
