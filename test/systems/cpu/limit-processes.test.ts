import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { applyUndo } from '../../../src/nemesis/undo/apply.js'
import { cpuGroupOf } from '../../../src/systems/cpu/control-group.js'
import { limitProcesses } from '../../../src/systems/cpu/limit-processes.js'
import { requires } from '../../support/requirements.js'
import { MemoryJournal } from '../running.js'

/** A process that takes all the CPU time that it can get. */
function burner(): number {
  const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  return child.pid as number
}

requires(
  'linux',
  'root',
  'cpu',
)('a limit of CPU time', () => {
  it('holds processes up, counts it, and lets them go on in the group that they came from', async () => {
    const pid = burner()
    const home = await cpuGroupOf(pid)
    const journal = new MemoryJournal()
    const limit = await limitProcesses({ node: 'n1', cpus: 0.05, pids: async () => [pid], journal })
    expect(limit.mechanism).toMatch(/^CPU quota of a control group \(v[12]\)$/)
    expect((await cpuGroupOf(pid))?.directory).toMatch(/\/nemesis-cpu-[0-9a-f]{10}$/)
    await vi.waitFor(async () => expect((await limit.throttled()).periods).toBeGreaterThan(3), {
      timeout: 20_000,
    })
    expect((await limit.throttled()).ms).toBeGreaterThan(0)
    expect(await limit.lost()).toBeNull()
    await limit.remove()
    await limit.remove()
    expect(await limit.present()).toBe(false)
    expect(await cpuGroupOf(pid)).toEqual(home)
    expect([...journal.open_.values()]).toEqual([])
  }, 60_000)

  it('is undone by what the journal holds, also twice', async () => {
    const pid = burner()
    const home = await cpuGroupOf(pid)
    const journal = new MemoryJournal()
    await limitProcesses({ node: 'n1', cpus: 0.05, pids: async () => [pid], journal })
    const [undo] = [...journal.open_.values()]
    if (undo?.kind !== 'cpu-group') throw new Error('nothing was journalled')
    expect(await applyUndo(undo)).toMatch(/^removed control group/)
    expect(await applyUndo(undo)).toMatch(/was gone$/)
    expect(existsSync(undo.directory)).toBe(false)
    expect(await cpuGroupOf(pid)).toEqual(home)
    await expect(applyUndo({ ...undo, directory: '/sys/fs/cgroup/cpu/docker' })).rejects.toThrow(
      /is no control group of a run/,
    )
  }, 60_000)

  it('says when the node was started anew', async () => {
    let pid = burner()
    const limit = await limitProcesses({
      node: 'n1',
      cpus: 0.05,
      pids: async () => [pid],
      journal: new MemoryJournal(),
    })
    onTestFinished(() => limit.remove())
    pid = burner()
    expect(await limit.lost()).toMatch(/n1 was started anew, outside of its control group|has taken n1 out/)
  }, 60_000)
})

describe('a limit of CPU time', () => {
  it('needs a node that runs', async () => {
    const none = limitProcesses({ node: 'n1', cpus: 1, pids: async () => [], journal: new MemoryJournal() })
    await expect(none).rejects.toThrow(/n1 is down/)
  })
})
