import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { readProcStat } from '../../../src/systems/process/proc-stat.js'
import { freeze } from '../../../src/systems/storage/freeze.js'
import { requires } from '../../support/requirements.js'
import { MemoryJournal } from '../running.js'

const stateOf = async (pid: number) => (await readProcStat(pid))?.state ?? 'gone'

requires('linux')('freezing a node', () => {
  it('stops workers in sessions of their own as well, whose end is journalled first', async () => {
    const program = `
      const { spawn } = require('node:child_process')
      const worker = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
      const member = spawn('sleep', ['60'], { stdio: 'ignore' })
      console.log(JSON.stringify([worker.pid, member.pid]))
      setInterval(() => {}, 1000)`
    const node = spawn(process.execPath, ['-e', program], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const pid = node.pid as number
    const [line] = (await once(node.stdout, 'data')) as [Buffer]
    const [worker, member] = JSON.parse(String(line)) as [number, number]
    onTestFinished(() => {
      for (const target of [-pid, worker]) {
        try {
          process.kill(target, 'SIGKILL')
        } catch {
          // It is gone, as it should be.
        }
      }
    })
    const journal = new MemoryJournal()
    const frozen = await freeze(pid, journal)
    expect(await Promise.all([pid, worker, member].map(stateOf))).toEqual(['T', 'T', 'T'])
    expect([...journal.open_.values()]).toMatchObject([{ kind: 'process', pid: worker }])
    await frozen.killOthers()
    await expect.poll(() => stateOf(worker)).toMatch(/^(?:Z|gone)$/)
    expect(await Promise.all([pid, member].map(stateOf))).toEqual(['T', 'T'])
    expect(journal.open_.size).toBe(0)
  })
})
