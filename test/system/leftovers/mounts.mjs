import { readdir, readFile } from 'node:fs/promises'

/** File systems that are mounted below a directory, in words. */
export async function mountsBelow(directory) {
  const table = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  return table
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((path) => path.startsWith(`${directory}/`))
    .map((path) => `mount ${path}`)
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
