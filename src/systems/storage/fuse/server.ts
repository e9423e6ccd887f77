/**
 * The process of one node's file system: `node server.js <mountpoint> <directory for data>`, with a channel to the one
 * who started it (control.ts). It is a process of its own, so that nodes can go on while a test keeps its own busy. It
 * ends when it is unmounted, and unmounts itself when the other end of the channel is gone.
 */
import { execFile } from 'node:child_process'
import type { Disturbance } from '../../capabilities.js'
import type { ControlAnswer, ControlMessage } from './control.js'
import { mountDevice } from './device.js'
import { Disturbances } from './disturbances.js'
import { invalidateContent } from './protocol.js'
import { Requests } from './requests.js'
import { Volume } from './volume.js'

const [, , mountpoint, directory] = process.argv
if (mountpoint === undefined || directory === undefined || process.send === undefined) process.exit(2)

// What ends a test run must not take the nodes' files away before the nodes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

const volume = new Volume(directory)
const disturbances = new Disturbances()
const requests = new Requests(volume, disturbances, directory)
const device = await mountDevice(mountpoint, requests)

process.on('disconnect', () => {
  // Not waited for by this thread: looking for the mount may ask us. When it fails, whoever cleans up behind the run was
  // quicker.
  execFile('umount', ['-l', mountpoint], { timeout: 5_000 }, () => process.exit(0))
})
process.on('message', (message: ControlMessage) => {
  carryOut(message).then(
    (answer) => say({ number: message.number, answer }),
    (error: unknown) => say({ number: message.number, error: String(error) }),
  )
})
say({ mounted: true })
await device.unmounted
process.exit(0)

function say(answer: ControlAnswer): void {
  // Nobody listens any more: 'disconnect' ends this process.
  process.send?.(answer, undefined, undefined, () => undefined)
}

async function carryOut(message: ControlMessage): Promise<unknown> {
  switch (message.tell) {
    case 'disturb': {
      const id = disturbances.add(message.disturbance)
      // What the kernel has cached would be read without our notice.
      if (ofReads(message.disturbance)) await dropCaches()
      return id
    }
    case 'undisturb': {
      const active = disturbances.get(message.id)
      disturbances.remove(message.id)
      // What was read wrongly is not to be read again.
      if (active !== null && ofReads(active.disturbance)) await dropCaches()
      return null
    }
    case 'disturbed': {
      const active = disturbances.get(message.id)
      return active === null ? null : { met: active.met, flips: active.flips }
    }
    case 'powerOff':
      requests.powerOff()
      return null
    case 'powerOn':
      return requests.powerOn()
  }
}

function ofReads(disturbance: Disturbance): boolean {
  return disturbance.kind === 'flip'
    ? disturbance.on === 'read'
    : disturbance.kind === 'fail' && disturbance.operation === 'read'
}

/** Of files that are open; others are read anew when they are opened. */
async function dropCaches(): Promise<void> {
  for (const { id } of volume.openFiles()) await device.notify(invalidateContent(id))
}
