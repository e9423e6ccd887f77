import { milliseconds, type Duration } from '../../../time/duration.js'

/** How long one call of a hook may take, in milliseconds. Default 20 s. */
export function hookTimeoutMs(given: Duration | undefined): number {
  return milliseconds(given ?? '20s', 'hookTimeout')
}
