import { expect, it } from 'vitest'
import type { Engine } from '../../../src/systems/docker/engine.js'
import { hostPid } from '../../../src/systems/docker/host-pid.js'
import { requires } from '../../support/requirements.js'

const node = { name: 'n1', index: 0, id: 'c0ffee', ip: '10.213.0.77' }

/** An engine that says of every container that it is this process of its own kernel. */
const engineElsewhere = (pid: number) =>
  ({ getContainer: () => ({ inspect: async () => ({ State: { Pid: pid } }) }) }) as unknown as Engine

requires('linux')("a container's process on this machine", () => {
  it.each([process.pid, 2 ** 22 + 1])(
    'is not taken for another one that has its id here: %d',
    async (pid) => {
      await expect(hostPid(engineElsewhere(pid), node)).rejects.toMatchObject({
        name: 'EnvironmentError',
        message: expect.stringMatching(/n1 is not on this machine/),
      })
    },
  )

  it('is none while the container is down', async () => {
    expect(await hostPid(engineElsewhere(0), node)).toBeNull()
  })
})
