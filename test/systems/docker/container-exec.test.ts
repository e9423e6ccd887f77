import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Exec } from '../../../src/systems/capabilities.js'
import { requires } from '../../support/requirements.js'
import { startContainers, type Containers } from './containers.js'

requires('docker', 'busybox')('exec in containers', () => {
  let containers: Containers
  let exec: Exec
  beforeAll(async () => {
    containers = await startContainers({ user: '1234' })
    exec = containers.system.exec as Exec
  })
  afterAll(() => containers?.stop())

  test('runs an argument vector in the container of the node, as its user', async () => {
    expect(exec.mechanism).toBe('Docker API exec')
    expect(await exec.run('n2', ['hostname'])).toEqual({ code: 0, stdout: 'n2\n', stderr: '' })
    expect((await exec.run('n1', ['id', '-u'])).stdout).toBe('1234\n')
    expect((await exec.run('n1', ['echo', '$HOME; `id`', '*'])).stdout).toBe('$HOME; `id` *\n')
  })

  test('hands over the input, and gives code and both outputs back', async () => {
    const script = 'cat; echo oh >&2; exit 3'
    expect(await exec.run('n1', ['sh', '-c', script], { input: 'one\ntwo' })).toEqual({
      code: 3,
      stdout: 'one\ntwo',
      stderr: 'oh\n',
    })
    const much = 'x'.repeat(300_000)
    expect((await exec.run('n1', ['cat'], { input: much })).stdout).toBe(much)
  })

  test.each([300, 1])(
    'ends what takes too long, also before the engine has started it: %d ms',
    async (ms) => {
      const command = ['sleep', `61.${ms}`]
      await expect(exec.run('n1', command, { timeoutMs: ms })).rejects.toThrow(
        `sleep 61.${ms} in the container of n1 took longer than ${ms} ms`,
      )
      if (process.getuid?.() === 0) {
        // What is not ended now would be there for a minute.
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        await expect.poll(() => containers.inside('n1', 'ps')).not.toContain(`sleep 61.${ms}`)
      }
    },
  )

  test('names a program that is not in the image, and a container that does not run', async () => {
    await expect(exec.run('n1', ['no-such-tool'])).rejects.toThrow(
      /no-such-tool in the container of n1 cannot be started: .*not found/,
    )
    await containers.lifecycle.kill('n2')
    await expect(exec.run('n2', ['true'])).rejects.toThrow(/cannot be started: .*not running/)
    await containers.lifecycle.start('n2')
  })
})
