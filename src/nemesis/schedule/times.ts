import { DeclarationError } from '../../errors.js'
import { milliseconds, type Duration } from '../../time/duration.js'
import type { Schedule } from '../fault.js'

/**
 * The times of a declaration without those that are not given. Throws DeclarationError for an `until` that is neither a
 * later time than `at` nor a function.
 */
export function checkedTimes(
  where: string,
  { at, until }: { readonly at: unknown; readonly until: unknown },
): Pick<Schedule, 'at' | 'until'> {
  const begins = at === undefined ? 0 : milliseconds(at as Duration, `${where}.at`)
  if (until !== undefined && typeof until !== 'function') {
    const ends = milliseconds(until as Duration, `${where}.until`)
    if (ends <= begins) {
      throw new DeclarationError('nemesis', `${where}: it ends at ${ends} ms, before it begins`, {
        hint: '`at` and `until` count from the same moment; `for` is a length',
      })
    }
  }
  return {
    ...(at === undefined ? {} : { at: at as Duration }),
    ...(until === undefined ? {} : { until: until as NonNullable<Schedule['until']> }),
  }
}
