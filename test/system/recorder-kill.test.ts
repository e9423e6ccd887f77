import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from 'vitest'
import { outcomeOf } from '../../src/history/operation.js'
import { readHistory } from '../../src/history/read.js'
import { temporaryDirectory } from '../history/temporary.js'

const script = path.join(import.meta.dirname, 'recorder-kill.mjs')
const temporary = temporaryDirectory()

test.each([1, 2_000, 5_000])('kill -9 after at least %i operations loses none of them', async (enough) => {
  const file = temporary.fresh()
  const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    if (lastNumber(said) >= enough) child.kill('SIGKILL')
  }
  if (child.signalCode === null && child.exitCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')

  const { operations, notes } = await readHistory(file)
  const answered = operations.filter((operation) => outcomeOf(operation) === 'ok')
  expect(answered.length).toBeGreaterThanOrEqual(lastNumber(said))
  expect(answered.map((operation) => operation.output)).toEqual(answered.map((_, value) => value))
  const unknown = operations.filter((operation) => outcomeOf(operation) === 'unknown')
  expect(unknown[0]).toMatchObject({ process_id: 'stuck', fault_epoch: 'F1' })
  expect(unknown.length).toBeLessThanOrEqual(2)
  expect(operations.length).toBe(answered.length + unknown.length)
  expect(notes.at(-1)).toContain('the recorder was killed')
})

/** The last number on a complete line. */
function lastNumber(said: string): number {
  return Number(said.split('\n').at(-2) ?? 0)
}
