import type { Evidence } from '../../src/nemesis/evidence.js'

/** A reading that shows a fault on the injector's side. */
export function reading(changes: Partial<Evidence> = {}): Evidence {
  return {
    side: 'injector',
    subject: 'n1',
    signal: 'offset (ms)',
    before: 0,
    after: 2_000,
    at: 1_000_000,
    ...changes,
  }
}
