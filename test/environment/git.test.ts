import { readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { commitOf } from '../../src/environment/git.js'
import { temporaryDirectory } from '../support/temporary.js'

it('names the commit and whether anything was changed since', async () => {
  const directory = await temporaryDirectory()
  expect(await commitOf(directory)).toBeNull()
  const git = (...args: string[]) =>
    execa('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', ...args], {
      cwd: directory,
    })
  await git('init', '--quiet')
  expect(await commitOf(directory)).toBeNull()
  await git('commit', '--quiet', '--allow-empty', '-m', 'first')
  const id = (await git('rev-parse', 'HEAD')).stdout
  expect(await commitOf(directory)).toEqual({ id, clean: true })
  await writeFile(join(directory, 'new.txt'), '')
  expect(await commitOf(directory)).toEqual({ id, clean: false })
})

it('writes nothing to the repository, not even what git has learnt of its files', async () => {
  const directory = await temporaryDirectory()
  const file = join(directory, 'a.txt')
  const git = (...args: string[]) =>
    execa('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', ...args], {
      cwd: directory,
    })
  await git('init', '--quiet')
  await writeFile(file, 'a')
  await git('add', 'a.txt')
  await git('commit', '--quiet', '-m', 'first')
  await utimes(file, 1_000_000_000, 1_000_000_000)
  const index = () => readFile(join(directory, '.git', 'index'))
  const before = await index()
  expect(await commitOf(directory)).toMatchObject({ clean: true })
  expect(before.equals(await index())).toBe(true)
})
