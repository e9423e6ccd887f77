import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SessionError } from '../../src/errors.js'
import { writeAtomically } from '../../src/session/write-atomically.js'
import { temporaryDirectory } from '../support/temporary.js'

it('makes the directory and writes the file', async () => {
  const file = join(await temporaryDirectory(), 'a', 'b.json')
  await writeAtomically(file, 'text')
  expect(await readFile(file, 'utf8')).toBe('text')
})

it('names the file that cannot be written, and what to do', async () => {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, 'file'), '')
  const writing = writeAtomically(join(directory, 'file', 'report.md'), 'text')
  await expect(writing).rejects.toThrow(SessionError)
  await expect(writing).rejects.toThrow(
    /report\.md could not be written: (ENOTDIR|EEXIST)[^]*-> make room there/,
  )
})
