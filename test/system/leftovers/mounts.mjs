import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** File systems that are mounted below a directory, in words. */
export async function mountsBelow(directory) {
  return (await mountPoints(directory)).map((path) => `mount ${path}`)
}

/** Takes them from the tree; a loop device goes with its last user. */
export async function unmountAll(directory) {
  for (const path of await mountPoints(directory)) await run('umount', ['-l', path])
}

/** Loop devices whose content is a file below a directory, in words; also when that file has been removed. */
export async function loopDevicesOf(directory) {
  const devices = await readdir('/sys/block').catch(() => [])
  const found = await Promise.all(
    devices.map(async (device) => {
      // Only a loop device that is in use has such a file.
      const file = await readFile(`/sys/block/${device}/loop/backing_file`, 'utf8').catch(() => '')
      return file.startsWith(`${directory}/`) ? [`loop device ${device} of ${file.trim()}`] : []
    }),
  )
  return found.flat()
}

async function mountPoints(directory) {
  const table = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  return table
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((path) => path.startsWith(`${directory}/`))
}
