import { expect, it } from 'vitest'
import { readdir, readFile } from 'node:fs/promises'
import type { Exec } from '../../../src/systems/capabilities.js'
import { startLineServers } from '../running.js'

async function started(): Promise<{ exec: Exec; dataDir: string; runId: string; kill(): Promise<void> }> {
  const { running, launches, runId, lifecycle } = await startLineServers({ cwd: '/usr' })
  return {
    exec: running.exec as Exec,
    dataDir: launches[0]!.dataDir,
    runId,
    kill: () => lifecycle.kill('n1'),
  }
}

it('runs an argument vector with the working directory and environment of the node', async () => {
  const { exec, dataDir, runId } = await started()
  expect(exec.mechanism).toBe('child process')
  const script = 'console.log([process.cwd(), process.env.DATA, process.env.NEMESIS_RUN].join(" "))'
  expect(await exec.run('n1', [process.execPath, '-e', script])).toEqual({
    code: 0,
    stdout: `/usr ${dataDir} ${runId}\n`,
    stderr: '',
  })
})

it('lets no shell near the arguments', async () => {
  const { exec } = await started()
  const { stdout } = await exec.run('n1', ['echo', '$HOME; `id` "quoted"', '*'])
  expect(stdout).toBe('$HOME; `id` "quoted" *\n')
})

it('hands over the input, and gives code and both outputs back', async () => {
  const { exec } = await started()
  const script = 'process.stdin.pipe(process.stdout); console.error("oh"); process.exitCode = 3'
  expect(await exec.run('n1', [process.execPath, '-e', script], { input: 'one\ntwo' })).toEqual({
    code: 3,
    stdout: 'one\ntwo',
    stderr: 'oh\n',
  })
  expect((await exec.run('n1', ['cat'])).stdout).toBe('')
})

it('tells an end by signal, and works while the node is down', async () => {
  const { exec, kill } = await started()
  await kill()
  const { code } = await exec.run('n1', ['sh', '-c', 'kill -9 $$'])
  expect(code).toBeNull()
})

it('ends what takes too long, with all that it has started', async () => {
  const { exec } = await started()
  const mark = `nemesis-slow-${process.pid}-${Date.now()}`
  const slow = exec.run('n1', ['sh', '-c', 'sleep 60 & sleep 60', mark], { timeoutMs: 300 })
  await expect(slow).rejects.toThrow(/sh -c .* on n1 took longer than 300 ms/)
  await expect.poll(() => running(mark)).toEqual([])
})

it('names a program or a node that there is not', async () => {
  const { exec } = await started()
  await expect(exec.run('n1', ['no-such-tool'])).rejects.toThrow(/no-such-tool cannot be run beside n1/)
  await expect(exec.run('n9', ['true'])).rejects.toThrow(/no node 'n9'/)
})

/** Commands of this machine that have the mark among their arguments. */
async function running(mark: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(mark))
}
