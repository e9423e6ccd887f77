import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { applyUndo } from '../../../src/nemesis/undo/apply.js'
import type { Undo } from '../../../src/nemesis/undo/journal.js'
import { makeDataDirectories } from '../../../src/systems/docker/data-directories.js'
import { isMounted } from '../../../src/systems/storage/mount.js'
import { fillerMechanism } from '../../../src/systems/storage/filler/mechanism.js'
import { spaceOf } from '../../../src/systems/storage/data-files.js'
import { tmpfsDisks } from '../../../src/systems/storage/tmpfs/disks.js'
import { requires } from '../../support/requirements.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { MemoryJournal } from '../running.js'

const place = (dataDir: string) => ({ name: 'n1', dataDir, ownDataDir: dataDir, pid: async () => null })

/** When the list of a directory's files was last changed. */
const changedAt = async (directory: string) => String((await stat(directory, { bigint: true })).mtimeNs)

requires('linux', 'root')('memory file systems', () => {
  async function attached(journal: MemoryJournal) {
    const directory = await mkdtemp(join(tmpdir(), 'nemesis-disk-'))
    await chmod(directory, 0o750)
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const disks = tmpfsDisks('1m', journal)
    onTestFinished(() => disks.close())
    await disks.attach('n1', directory)
    return { directory, disks }
  }

  it('have their size and the rights of the directory, and are taken away with it', async () => {
    const journal = new MemoryJournal()
    const { directory, disks } = await attached(journal)
    expect((await spaceOf(directory)).totalBytes).toBe(1024 * 1024)
    expect((await stat(directory)).mode & 0o777).toBe(0o750)
    await writeFile(join(directory, 'data'), 'x')
    expect(journal.open_.size).toBe(1)
    await disks.close()
    expect(await isMounted(directory)).toBe(false)
    await expect(stat(directory)).rejects.toThrow('ENOENT')
    expect(journal.open_.size).toBe(0)
  })

  it('are taken away by the journal alone, as often as it is asked', async () => {
    const journal = new MemoryJournal()
    const { directory } = await attached(journal)
    const [undo] = journal.open_.values()
    if (undo === undefined) throw new Error('nothing was journalled')
    expect(await applyUndo(undo)).toBe(`unmounted ${directory}`)
    expect(await isMounted(directory)).toBe(false)
    expect(await applyUndo(undo)).toBe(`${directory} was not mounted`)
  })

  it('are all taken away, also when the first that is to go cannot be', async () => {
    class Full extends MemoryJournal {
      override async close(id: string): Promise<void> {
        if (id === '1') throw new Error('no space for the journal')
        return super.close(id)
      }
    }
    const root = await mkdtemp(join(tmpdir(), 'nemesis-disk-'))
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    const disks = tmpfsDisks('1m', new Full())
    const directories = ['n1', 'n2'].map((name) => join(root, name))
    for (const directory of directories) {
      await mkdir(directory)
      await disks.attach('any', directory)
    }
    await expect(disks.close()).rejects.toThrow('no space for the journal')
    expect(await Promise.all(directories.map(isMounted))).toEqual([false, false])
  })

  it('can be filled, and given back by the journal alone', async () => {
    const journal = new MemoryJournal()
    const { directory } = await attached(journal)
    const filler = await fillerMechanism([place(directory)], journal)
    expect(filler.lacks('full')).toBeNull()
    const rule = await filler.disturb(place(directory), { kind: 'full' })
    onTestFinished(() => rule.remove())
    expect((await spaceOf(directory)).freeBytes).toBe(0)
    await expect(writeFile(join(directory, 'data'), 'x'.repeat(4096))).rejects.toThrow('ENOSPC')
    const undo = [...journal.open_.values()].find(({ kind }) => kind === 'filler')
    if (undo === undefined) throw new Error('nothing was journalled')
    await rule.remove()
    expect((await spaceOf(directory)).freeBytes).toBe(1024 * 1024)
    await writeFile(join(directory, '.nemesis-filler'), 'left behind')
    expect(await applyUndo(undo)).toMatch(/^removed /)
    expect(await applyUndo(undo)).toMatch(/was gone$/)
  })

  it('are journalled to be filled before anything is written on them', async () => {
    const seen: string[] = []
    class Watching extends MemoryJournal {
      override async open(undo: Undo): Promise<string> {
        if (undo.kind === 'filler') seen.push(await changedAt(directory))
        return super.open(undo)
      }
    }
    const { directory } = await attached(new MemoryJournal())
    const untouched = await changedAt(directory)
    const journal = new Watching()
    const filler = await fillerMechanism([place(directory)], journal)
    const rule = await filler.disturb(place(directory), { kind: 'full' })
    onTestFinished(() => rule.remove())
    expect(seen).toEqual([untouched])
    // What tries out whether there is space may be left as well.
    await writeFile(join(directory, '.nemesis-probe'), '')
    for (const undo of journal.open_.values()) await applyUndo(undo)
    expect(await readdir(directory)).toEqual([])
  })

  it('are not filled twice, and stay filled when somebody tries', async () => {
    const { directory } = await attached(new MemoryJournal())
    const journal = new MemoryJournal()
    const filler = await fillerMechanism([place(directory)], journal)
    const rule = await filler.disturb(place(directory), { kind: 'full' })
    onTestFinished(() => rule.remove())
    await expect(filler.disturb(place(directory), { kind: 'full' })).rejects.toThrow('no space left already')
    expect(await rule.present()).toBe(true)
    expect(journal.open_.size).toBe(1)
  })

  it('stay full when the node frees space', async () => {
    const { directory } = await attached(new MemoryJournal())
    await writeFile(join(directory, 'data'), 'x'.repeat(256 * 1024))
    const filler = await fillerMechanism([place(directory)], new MemoryJournal())
    const rule = await filler.disturb(place(directory), { kind: 'full' })
    onTestFinished(() => rule.remove())
    await rm(join(directory, 'data'))
    await expect.poll(async () => (await spaceOf(directory)).freeBytes, { timeout: 20_000 }).toBe(0)
  })
})

requires('linux', 'root')('data directories for containers', () => {
  it('are journalled before they are made, and taken away again', async () => {
    const made: boolean[] = []
    class Watching extends MemoryJournal {
      override async open(undo: Undo): Promise<string> {
        if (undo.kind === 'directory') made.push(existsSync(undo.path))
        return super.open(undo)
      }
    }
    const journal = new Watching()
    const data = await makeDataDirectories({ size: '1m' }, ['n1', 'n2'], { run: 'test', journal })
    const there = () => [...data.directories.values()].map((directory) => existsSync(directory))
    const whileOpen = there()
    await data.close()
    expect(made).toEqual([false])
    expect(whileOpen).toEqual([true, true])
    expect(there()).toEqual([false, false])
    expect(journal.open_.size).toBe(0)
  })
})

describe('the disk of the machine', () => {
  it('is never filled', async () => {
    const directory = await temporaryDirectory()
    const journal = new MemoryJournal()
    const filler = await fillerMechanism([place(directory)], journal)
    expect(filler.lacks('full')).toMatchObject({ hint: expect.stringContaining("disk: { size: '16m' }") })
    await expect(filler.disturb(place(directory), { kind: 'full' })).rejects.toThrow(
      /its data lies on the file system of .*, which the machine itself needs/,
    )
    expect(journal.all).toEqual([])
  })

  it('is not unmounted by a damaged journal, and no file of it removed', async () => {
    const directory = await temporaryDirectory()
    await mkdir(join(directory, 'home'))
    await expect(applyUndo({ kind: 'mount', path: '/proc' })).rejects.toThrow('not unmounted')
    await expect(applyUndo({ kind: 'mount', path: `${tmpdir()}/../proc` })).rejects.toThrow('not unmounted')
    await expect(applyUndo({ kind: 'filler', path: join(directory, 'home') })).rejects.toThrow('no filler')
  })
})
