import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('linearizability-workers.mjs', import.meta.url))

async function judge(timeoutMs: number, memoryMb: number, perKey = 3_000) {
  const args = [timeoutMs, memoryMb, perKey].map(String)
  const { stdout } = await execa(process.execPath, [script, ...args])
  return JSON.parse(stdout) as {
    valid: boolean | 'unknown'
    reason: string | null
    evidence: Record<string, number>
    peakMb: number
    workers: number
  }
}

test('hard keys are decided side by side, and the process ends', { timeout: 240_000 }, async () => {
  const { valid, evidence, peakMb } = await judge(200_000, 1_000)
  expect(valid).toBe(true)
  expect(evidence).toMatchObject({ searched: 4, decided: 4 })
  expect(peakMb).toBeLessThan(1_000)
})

test('a time limit ends the workers too', { timeout: 60_000 }, async () => {
  const { valid, reason, workers } = await judge(600, 1_000, 30_000)
  expect(valid).toBe('unknown')
  expect(reason).toContain('time limit of 0.6 s ran out')
  expect(workers).toBe(0)
})

test('memory that is not enough is told', { timeout: 60_000 }, async () => {
  const { valid, reason } = await judge(30_000, 20)
  expect(valid).toBe('unknown')
  expect(reason).toContain('memory limit of 20 MB is not enough')
})
