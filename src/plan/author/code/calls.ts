import { catalog } from '../../../checkers/catalog.js'
import { checkerName } from '../../lint/names.js'
import type { FaultName } from '../../../nemesis/faults/index.js'
import { camelCase, literal } from './text.js'

/** What stands for a function that only the project's author can write. */
export const toWrite = (what: string) => `() => Promise.reject(new Error(${literal(`FILL IN: ${what}`)}))`

/** Arguments of checkers that cannot be made without any; a reader is to replace them. */
const checkerArguments: Readonly<Record<string, string>> = {
  noLostAck: `{ final: ${toWrite('read a key at rest')} }`,
  boundedStaleness: "{ within: '500ms' }",
  leaseExclusion: "{ ttl: '10s', clockUncertainty: '100ms' }",
  invariant: "'FILL IN: what must hold', { holds: () => false }",
  replayEquivalence: `{ live: ${toWrite('read the live state')}, replayed: ${toWrite('replay the log')} }`,
  differential: "{ reference: () => { throw new Error('FILL IN: the reference') } }",
  slo: '{ latency: { percentile: 99, atMost: 500 } }',
  baseline: '{ metric: { latency: 99 }, baseline: [1, 1, 1] }',
  fairness: '{ worstToAggregate: { percentile: 99, atMost: 2 } }',
  availability: '{ atLeast: 0.99 }',
}

/** A call that makes the checker of this name, with the function that it imports; null for no checker of this package. */
export function checkerCall(name: string): { readonly factory: string; readonly code: string } | null {
  const entry = catalog.find((one) => checkerName(one) === name)
  if (entry === undefined) return null
  return { factory: entry.factory, code: `${entry.factory}(${checkerArguments[entry.factory] ?? ''})` }
}

export function modelCall(name: string): { readonly factory: string; readonly code: string } {
  const factory = camelCase(name)
  return { factory, code: `${factory}(${name === 'semaphore' ? '1' : ''})` }
}

const leader = "node: 'leader'"

/** Options that make each fault valid. Those of the cluster take hooks that only the project can write. */
const faultOptions: Readonly<Partial<Record<FaultName, string>>> = {
  kill: leader,
  stop: leader,
  pause: leader,
  partition: "isolate: 'leader'",
  'asymmetric-partition': "from: 'leader', to: 'others'",
}

/** A call that declares the fault at a time; a comment for one that cannot be declared without more knowledge. */
export function faultCall(name: string, { at }: { readonly at: string }): string {
  const options = faultOptions[name as FaultName]
  if (options === undefined)
    return `// FILL IN nemesis(${literal(name)}, { …, at: ${literal(at)}, for: '2s' }),`
  return `nemesis(${literal(name)}, { ${options}, at: ${literal(at)}, for: '2s' }),`
}
