import { expect, it } from 'vitest'
import { searchSymptoms } from '../../src/catalog/search.js'

const best = (query: string) => searchSymptoms(query)[0]?.pitfalls[0]

it.each([
  ['stale read after failover', 'stale-follower-read'],
  ['fsync lost writes', 'lost-ack-or-lost-commit'],
  ['duplicated charges on retry', 'idempotency-cold-cache'],
  ['two leaders', 'clock-dependent-safety'],
  ['clock drift', 'linearizability-under-clock-skew'],
  ['poison message in the outbox', 'outbox-head-of-line'],
  ['WATCH misses events', 'watch-loss-or-duplication'],
  ['duplicate key from a sequence', 'id-collision'],
])('finds what %s stands for', (query, pitfall) => {
  expect(best(query)).toBe(pitfall)
})

it('puts the row with the most of the words first, and leaves out those with few', () => {
  const rows = searchSymptoms('rolling upgrade rollback version')
  expect(rows[0]?.symptom).toContain('upgrade')
  expect(rows.map(({ symptom }) => symptom)).not.toContain('it crashes or hangs on odd input')
})

it.each(['', 'the and with', 'weather', '%$#'])('has nothing about %j', (query) => {
  expect(searchSymptoms(query)).toEqual([])
})
