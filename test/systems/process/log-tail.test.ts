import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { logTail } from '../../../src/systems/process/log-tail.js'
import { temporaryDirectory } from '../../support/temporary.js'

const crash = `ready
node:events:486
      throw er; // Unhandled 'error' event
      ^

Error: listen EADDRINUSE: address already in use 127.0.0.1:7000
${'    at Server.listen (node:net:1940:16)\n'.repeat(12)}Emitted 'error' event on Server instance at:
    at emitErrorNT (node:net:1944:8) {
  code: 'EADDRINUSE'
}
`

async function logOf(text: string): Promise<string> {
  const file = join(await temporaryDirectory(), 'n1.log')
  await writeFile(file, text)
  return file
}

it('keeps what a program says when it dies, and no frames of its stack', async () => {
  expect(await logTail(await logOf(crash), 0, 4)).toEqual([
    'Error: listen EADDRINUSE: address already in use 127.0.0.1:7000',
    "Emitted 'error' event on Server instance at:",
    "  code: 'EADDRINUSE'",
    '}',
  ])
})

it('begins where it is told', async () => {
  expect(await logTail(await logOf('first\nsecond\n\n'), 'first\n'.length, 10)).toEqual(['second'])
})
