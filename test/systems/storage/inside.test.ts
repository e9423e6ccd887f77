import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { inside } from '../../../src/systems/storage/inside.js'
import { temporaryDirectory } from '../../support/temporary.js'

let dataDir: string
let outside: string
beforeEach(async () => {
  const root = await temporaryDirectory()
  dataDir = join(root, 'data')
  outside = join(root, 'outside')
  await mkdir(join(dataDir, 'sub'), { recursive: true })
  await mkdir(outside)
  await writeFile(join(dataDir, 'sub', 'file'), 'x')
  await writeFile(join(outside, 'secret'), 'x')
})

describe('paths below a data directory', () => {
  it('are resolved, also of files that are not there yet', async () => {
    expect(await inside(dataDir, 'sub/file')).toBe(join(dataDir, 'sub', 'file'))
    expect(await inside(dataDir, 'sub/../sub/new')).toBe(join(dataDir, 'sub', 'new'))
    await symlink('sub', join(dataDir, 'link'))
    expect(await inside(dataDir, 'link/file')).toBe(join(dataDir, 'sub', 'file'))
  })

  it.each(['', '.', '..', '../outside/secret', 'sub/../../outside/secret', '/etc/passwd'])(
    'are refused outside: %j',
    async (path) => {
      await expect(inside(dataDir, path)).rejects.toThrow('is not a file below the data directory')
    },
  )

  it('are refused when a link leads outside', async () => {
    await symlink(outside, join(dataDir, 'way'))
    await symlink(join(outside, 'secret'), join(dataDir, 'file'))
    await symlink(join(outside, 'nothing'), join(dataDir, 'dangling'))
    await expect(inside(dataDir, 'way/secret')).rejects.toThrow('is not a file below')
    await expect(inside(dataDir, 'way/new')).rejects.toThrow('is not a file below')
    await expect(inside(dataDir, 'file')).rejects.toThrow('is not a file below')
    await expect(inside(dataDir, 'dangling')).rejects.toThrow('is not a file below')
  })
})
