import { execa } from 'execa'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { RunRecord, ScenarioRecord } from '../../src/session/record.js'
import { requires } from '../support/requirements.js'
import { temporaryDirectory } from '../support/temporary.js'

const script = fileURLToPath(new URL('observed-run.mjs', import.meta.url))

async function observed(kind: 'processes' | 'docker', what: 'kill' | 'segfault'): Promise<RunRecord> {
  const directory = await temporaryDirectory()
  const { stdout } = await execa(process.execPath, [script, kind, directory, what], { timeout: 280_000 })
  const [run] = (JSON.parse(stdout) as ScenarioRecord).runs
  if (run === undefined) throw new Error(stdout)
  return run
}

const counting = ({ logScan }: RunRecord) =>
  logScan!.matches.filter(({ ignored }) => ignored === null).map(({ pattern }) => pattern)

function killed(run: RunRecord) {
  expect(run.error).toBeNull()
  expect(run.faults).toMatchObject([{ fault: 'kill', landed: true }])
  expect(run.logScan).toMatchObject({ files: 1, unread: [] })
  expect(run.logScan!.lines).toBeGreaterThan(10)
  expect(counting(run)).toEqual([])
  // About a second before the kill, and as long after the recovery.
  const { before, after } = run.nominal!
  expect(before!.operations).toBeGreaterThan(40)
  expect(after!.operations).toBeGreaterThan(40)
  expect(after!.okShare).toBeGreaterThan(0.95)
  const slices = run.load!.slices
  expect(slices.length).toBe(20)
  expect(slices.reduce((sum, { intended }) => sum + (intended ?? 0), 0)).toBeGreaterThan(590)
  // Those of the kill have load and few answers.
  expect(Math.min(...slices.map(({ ok }) => ok))).toBeLessThan(Math.max(...slices.map(({ ok }) => ok)) / 2)
  // Other programs may keep this machine busy.
  const others = run.host!.signals.filter(({ kind }) => !['steal', 'stall', 'oom-kill'].includes(kind))
  expect(others).toEqual([])
}

requires('redis')('redis-server as a process', () => {
  test('under a kill: no alarm, and service before and after it', { timeout: 300_000 }, async () => {
    killed(await observed('processes', 'kill'))
  })

  test('that crashes by itself: the log tells', { timeout: 300_000 }, async () => {
    expect(counting(await observed('processes', 'segfault'))).toEqual(['crash'])
  })
})

requires('redis', 'docker')('redis-server in a container', () => {
  test('under a kill: no alarm, and service before and after it', { timeout: 300_000 }, async () => {
    killed(await observed('docker', 'kill'))
  })

  test('that crashes by itself: the log tells', { timeout: 300_000 }, async () => {
    expect(counting(await observed('docker', 'segfault'))).toEqual(['crash'])
  })
})
