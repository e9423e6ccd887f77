import { expect, it } from 'vitest'
import { linearizable, type OrderHint } from '../../../src/checkers/index.js'
import { kvStringAppend } from '../../../src/models/index.js'
import { operation } from '../operation.js'

/** Overlapping appends, which took effect from the last to the first, and a read of the whole. */
const count = 7
const appends = Array.from({ length: count }, (_, id) =>
  operation({ op_id: id, op_type: 'append', input: `${id}`, key: 'k', at: [id, 100 + id] }),
)
const reading = (output: string) => [
  ...appends,
  operation({ op_id: 'get', op_type: 'get', output, key: 'k', at: [200, 201] }),
]
const { leadsTo: _, ...blind } = kvStringAppend()

async function check(output: string, orderHint?: OrderHint) {
  const checker = linearizable(orderHint === undefined ? {} : { orderHint })
  const result = await checker.check({
    operations: reading(output),
    model: blind,
    collected: null,
    timeoutMs: 60_000,
  })
  return { valid: result.valid, configurations: result.evidence['configurations'] as number }
}

const latestFirst: OrderHint = ({ op_id: id }) => (typeof id === 'number' ? count - id : null)
const written = appends
  .map(({ input }) => input)
  .toReversed()
  .join('')

it('finds the order that the system claims at once', async () => {
  const blindly = await check(written)
  const hinted = await check(written, latestFirst)
  expect(blindly.valid).toBe(true)
  expect(hinted).toMatchObject({ valid: true })
  expect(hinted.configurations).toBeLessThanOrEqual(count + 1)
  expect(blindly.configurations).toBeGreaterThan(10 * hinted.configurations)
})

it('does not believe a wrong order, in either direction', async () => {
  expect(await check(written, ({ op_id: id }) => Number(id))).toMatchObject({ valid: true })
  expect(await check('6543201', latestFirst)).toMatchObject({ valid: true })
  expect(await check('654321', latestFirst)).toMatchObject({ valid: false })
})
