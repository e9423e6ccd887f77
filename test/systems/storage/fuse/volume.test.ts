import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Random } from '../../../../src/random/random.js'
import type { DirectoryInode, FileInode, Inode } from '../../../../src/systems/storage/fuse/inode.js'
import { pathOf } from '../../../../src/systems/storage/fuse/inode.js'
import { Volume } from '../../../../src/systems/storage/fuse/volume.js'
import { randomHistories } from '../../../support/random-histories.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const ownedBy = { uid: 0, gid: 0 }

function createFile(volume: Volume, name: string, parent: DirectoryInode = volume.root): FileInode {
  return volume.create(parent, name, { mode: 0o100644, ...ownedBy }) as FileInode
}

function createDirectory(volume: Volume, name: string, parent = volume.root): DirectoryInode {
  return volume.create(parent, name, { mode: 0o040755, ...ownedBy }) as DirectoryInode
}

function contentOf(file: FileInode): string {
  return file.content.read(0, file.content.size).toString()
}

/** Every file by its path with its content; directories with `/`. */
function tree(directory: DirectoryInode, path = ''): Record<string, string> {
  return Object.fromEntries(
    [...directory.entries]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([name, inode]): [string, string][] => {
        if (inode.kind === 'directory')
          return [[`${path}${name}/`, ''], ...Object.entries(tree(inode, `${path}${name}/`))]
        return [[path + name, inode.kind === 'file' ? contentOf(inode) : inode.target]]
      }),
  )
}

async function volume(): Promise<Volume> {
  return new Volume(await temporaryDirectory())
}

describe('a power loss', () => {
  it('takes what was appended since the last sync, and says how much', async () => {
    const disk = await volume()
    const file = createFile(disk, 'log')
    disk.write(file, 0, Buffer.from('synced'))
    disk.sync(file)
    disk.write(file, 6, Buffer.from(' and not'))
    expect(disk.losePower()).toEqual({ bytes: 8, changes: 0 })
    expect(tree(disk.root)).toEqual({ log: 'synced' })
  })

  it('brings back what was overwritten and cut off', async () => {
    const disk = await volume()
    const file = createFile(disk, 'data')
    const old = 'abcdefghij'.repeat(2_000)
    disk.write(file, 0, Buffer.from(old))
    disk.sync(file)
    disk.write(file, 5_000, Buffer.from('XXXX'))
    disk.truncate(file, 100)
    disk.write(file, 90, Buffer.from('Y'.repeat(9_000)))
    disk.losePower()
    expect(contentOf(file)).toBe(old)
  })

  it('undoes names, and a rename over another file, but not the content that was synced', async () => {
    const disk = await volume()
    const old = createFile(disk, 'config')
    disk.write(old, 0, Buffer.from('old'))
    disk.sync(old)
    const next = createFile(disk, 'config.tmp')
    disk.write(next, 0, Buffer.from('new'))
    disk.sync(next)
    disk.rename({ parent: disk.root, name: 'config.tmp' }, { parent: disk.root, name: 'config' }, 0)
    expect(tree(disk.root)).toEqual({ config: 'new' })
    expect(disk.losePower().changes).toBe(2)
    expect(tree(disk.root)).toEqual({ config: 'old', 'config.tmp': 'new' })
  })

  it('leaves an empty file where a rename was committed and the content was never synced', async () => {
    const disk = await volume()
    const file = createFile(disk, 'a.tmp')
    disk.write(file, 0, Buffer.from('content'))
    disk.rename({ parent: disk.root, name: 'a.tmp' }, { parent: disk.root, name: 'a' }, 0)
    disk.sync(disk.root)
    disk.losePower()
    expect(tree(disk.root)).toEqual({ a: '' })
  })

  it('keeps the way to a file that was synced, as the journal was committed', async () => {
    const disk = await volume()
    const file = createFile(disk, 'f', createDirectory(disk, 'd'))
    disk.write(file, 0, Buffer.from('x'))
    disk.sync(file)
    disk.losePower()
    expect(tree(disk.root)).toEqual({ 'd/': '', 'd/f': 'x' })
    expect(pathOf(file)).toBe('d/f')
  })

  it('brings back a file that was removed, and one that is open without a name', async () => {
    const disk = await volume()
    const file = createFile(disk, 'f')
    disk.write(file, 0, Buffer.from('x'))
    disk.sync(file)
    disk.opened(file)
    disk.unlink(disk.root, 'f')
    disk.released(file)
    disk.losePower()
    expect(tree(disk.root)).toEqual({ f: 'x' })
  })
})

it('gives the space of files back that nothing can bring back', async () => {
  const directory = await temporaryDirectory()
  const disk = new Volume(directory)
  const file = createFile(disk, 'f')
  disk.write(file, 0, Buffer.from('x'))
  disk.sync(file)
  disk.write(file, 0, Buffer.from('y'))
  disk.unlink(disk.root, 'f')
  expect(await readdir(directory)).toHaveLength(2)
  disk.sync(disk.root)
  expect(await readdir(directory)).toHaveLength(0)
  expect(() => disk.inode(file.id)).toThrow('ESTALE')
})

/**
 * The definition: a sync of a file remembers its content, and a sync of anything remembers the whole tree of names;
 * a power loss goes back to that tree, with each file as it was remembered.
 */
class Definition {
  /** Content of each inode at its last sync. */
  readonly #synced = new Map<Inode, string>()
  #names: () => Record<string, string>

  constructor() {
    this.#names = () => ({})
  }

  sync(disk: Volume, inode: Inode): void {
    if (inode.kind === 'file') this.#synced.set(inode, contentOf(inode))
    const frozen = this.#freeze(disk.root, '')
    this.#names = () =>
      Object.fromEntries(
        frozen.map(([path, one]) => [path, one === null ? '' : (this.#synced.get(one) ?? '')]),
      )
  }

  lost(): Record<string, string> {
    return this.#names()
  }

  #freeze(directory: DirectoryInode, path: string): (readonly [string, Inode | null])[] {
    return [...directory.entries]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([name, inode]) =>
        inode.kind === 'directory'
          ? [[`${path}${name}/`, null] as const, ...this.#freeze(inode, `${path}${name}/`)]
          : [[path + name, inode] as const],
      )
  }
}

it('forgets in random histories what the definition says', { timeout: 300_000 }, async () => {
  const directory = await temporaryDirectory()
  const random = new Random(11)
  for (let history = 0; history < randomHistories(300, 20); history += 1) {
    const own = await mkdtemp(join(directory, 'history-'))
    const disk = new Volume(own)
    let definition = new Definition()
    const names = ['a', 'b', 'c']
    const parents = () => [
      disk.root,
      ...[...disk.root.entries.values()].filter((one) => one.kind === 'directory'),
    ]
    for (let step = 0; step < 40; step += 1) {
      const parent = random.pick(parents())
      const name = random.pick(names)
      const there = parent.entries.get(name)
      const files = parents().flatMap(({ entries }) =>
        [...entries.values()].filter((one) => one.kind === 'file'),
      )
      const file = files.length === 0 ? null : random.pick(files)
      attempt(() => {
        switch (random.int(0, 9)) {
          case 0:
            return void createFile(disk, name, parent)
          case 1:
            return parent === disk.root ? void createDirectory(disk, name) : undefined
          case 2:
            return disk.unlink(parent, name)
          case 3:
            return disk.removeDirectory(parent, name)
          case 4: {
            const target = random.pick(parents())
            // The kernel never asks for a directory to be moved below itself.
            if (there?.kind === 'directory' && target !== disk.root) return
            return disk.rename({ parent, name }, { parent: target, name: random.pick(names) }, 0)
          }
          case 5:
            return file === null ? undefined : disk.link(file, parent, name)
          case 6: {
            const inode = random.pick([disk.root, ...(file === null ? [] : [file, file, file])])
            disk.sync(inode)
            return definition.sync(disk, inode)
          }
          case 7:
            return file === null ? undefined : disk.truncate(file, random.int(0, 9_000))
          default:
            if (file !== null) {
              disk.write(file, random.int(0, 9_000), Buffer.from(String(step).repeat(random.int(1, 3_000))))
            }
        }
      })
      if (random.int(0, 29) === 0) {
        disk.losePower()
        expect(tree(disk.root), `history ${history}, step ${step}`).toEqual(definition.lost())
        definition = new Definition()
        for (const inode of [disk.root, ...allFiles(disk.root)]) {
          disk.sync(inode)
          definition.sync(disk, inode)
        }
      }
    }
    disk.losePower()
    expect(tree(disk.root), `history ${history}`).toEqual(definition.lost())
    for (const file of allFiles(disk.root)) file.content.close()
    await rm(own, { recursive: true })
  }
})

function allFiles(directory: DirectoryInode): readonly FileInode[] {
  return [...directory.entries.values()].flatMap((inode) =>
    inode.kind === 'directory' ? allFiles(inode) : inode.kind === 'file' ? [inode] : [],
  )
}

/** What a volume refuses, the kernel hands on to whoever asked. */
function attempt(act: () => void): void {
  try {
    act()
  } catch (error) {
    if ((error as Error).constructor.name !== 'Refusal') throw error
  }
}
