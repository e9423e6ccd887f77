import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'

const script = fileURLToPath(new URL('linearizability-workers.mjs', import.meta.url))

interface Asked {
  readonly model: 'register' | 'strings' | 'own'
  readonly timeoutMs?: number
  readonly memoryMb?: number
  readonly perKey?: number
  readonly cancelAfterMs?: number
}

async function judge({ model, timeoutMs = 200_000, memoryMb = 1_000, perKey = 3_000, cancelAfterMs }: Asked) {
  const numbers = [timeoutMs, memoryMb, perKey, ...(cancelAfterMs === undefined ? [] : [cancelAfterMs])]
  const { stdout } = await execa(process.execPath, [script, model, ...numbers.map(String)])
  return JSON.parse(stdout) as {
    valid: boolean | 'unknown'
    reason: string | null
    evidence: Record<string, number>
    ms: number
    peakMb: number
    /** Worker threads that are left when the answer is there. */
    threads: number
    told: { decided: number; configurations: number }[]
  }
}

describe.each(['register', 'strings'] as const)('hard keys of %s', (model) => {
  test(
    'are decided side by side, told while that goes on, and no thread stays',
    { timeout: 400_000 },
    async () => {
      const { valid, evidence, peakMb, threads, told } = await judge({ model, perKey: 20_000 })
      expect(valid).toBe(true)
      expect(evidence).toMatchObject({ searched: 4, decided: 4 })
      expect(evidence['workers']).toBeGreaterThan(1)
      expect(peakMb).toBeLessThan(1_000)
      expect(threads).toBe(0)
      expect(told.at(-1)?.decided).toBe(4)
      const configurations = told.map((progress) => progress.configurations)
      expect(configurations).toEqual([...configurations].sort((a, b) => a - b))
      // More than the turns have ends: workers tell in between.
      expect(new Set(configurations).size).toBeGreaterThan(10)
    },
  )
})

test(
  "a model of the user's own is searched by one thread, and the evidence says so",
  { timeout: 400_000 },
  async () => {
    const { valid, evidence } = await judge({ model: 'own', perKey: 2_000 })
    expect(valid).toBe(true)
    expect(evidence).toMatchObject({ decided: 4, workers: 0 })
  },
)

describe('what ends a search ends the workers too', () => {
  test('a time limit', { timeout: 300_000 }, async () => {
    const { valid, reason, threads } = await judge({ model: 'register', timeoutMs: 600, perKey: 30_000 })
    expect(valid).toBe('unknown')
    expect(reason).toContain('time limit of 0.6 s ran out')
    expect(threads).toBe(0)
  })

  test('cancelling', { timeout: 300_000 }, async () => {
    const asked = { model: 'register', perKey: 100_000, cancelAfterMs: 3_000 } as const
    const { valid, reason, evidence, ms, threads } = await judge(asked)
    expect(valid).toBe('unknown')
    expect(reason).toContain('cancelled')
    expect(evidence['workers']).toBeGreaterThan(1)
    expect(ms).toBeLessThan(30_000)
    expect(threads).toBe(0)
  })
})

test('memory that is not enough is told', { timeout: 300_000 }, async () => {
  const { valid, reason } = await judge({ model: 'register', timeoutMs: 200_000, memoryMb: 20 })
  expect(valid).toBe('unknown')
  expect(reason).toContain('memory limit of 20 MB is not enough')
})
