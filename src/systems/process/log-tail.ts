import { open } from 'node:fs/promises'

const tailBytesMax = 8_192

/**
 * The last lines of a log from `start` (a byte offset) on, without empty ones and without the frames of stacks: what a
 * program says when it dies stands above them.
 */
export async function logTail(file: string, start: number, lines: number): Promise<readonly string[]> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const from = Math.max(start, size - tailBytesMax)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.max(0, size - from)), {
      position: from,
    })
    return buffer
      .toString('utf8', 0, bytesRead)
      .split('\n')
      .filter((line) => line.trim() !== '' && !/^\s+at \S/.test(line))
      .slice(-lines)
  } finally {
    await handle.close()
  }
}
