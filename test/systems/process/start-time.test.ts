import { execa } from 'execa'
import { expect, test } from 'vitest'
import { parseProcStat } from '../../../src/systems/process/proc-stat.js'
import { processStartTime } from '../../../src/systems/process/start-time.js'

test('a process keeps its start time, and one that is gone has none', async () => {
  const own = await processStartTime(process.pid)
  expect(own).toMatch(/\d/)
  expect(await processStartTime(process.pid)).toBe(own)
  const child = execa(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { reject: false })
  const pid = child.pid as number
  const started = await processStartTime(pid)
  expect(started).toMatch(/\d/)
  expect(started).not.toBe(own)
  child.kill('SIGKILL')
  await child
  expect(await processStartTime(pid)).toBeNull()
})

test('a command with parentheses and spaces does not shift the fields', () => {
  const numbers = Array.from({ length: 49 }, (_, index) => index + 4)
  const line = `4711 (a) R (b c)) T ${numbers.join(' ')}`
  expect(parseProcStat(line)).toEqual({
    pid: 4711,
    state: 'T',
    parent: 4,
    group: 5,
    cpuMs: (14 + 15 + 16 + 17) * 10,
    startTime: '22',
  })
  expect(parseProcStat('')).toBeNull()
})
