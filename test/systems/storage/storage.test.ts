import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { EnvironmentError } from '../../../src/errors.js'
import { applyUndo } from '../../../src/nemesis/undo/apply.js'
import type { Storage } from '../../../src/systems/capabilities.js'
import { digestOf } from '../../../src/systems/storage/data-files.js'
import type { StorageMechanism } from '../../../src/systems/storage/mechanism.js'
import { storageOf } from '../../../src/systems/storage/storage.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { MemoryJournal } from '../running.js'

let dataDir: string
let journal: MemoryJournal
beforeEach(async () => {
  dataDir = join(await temporaryDirectory(), 'n1')
  await mkdir(join(dataDir, 'wal'), { recursive: true })
  await writeFile(join(dataDir, 'wal', '1.log'), 'original')
  journal = new MemoryJournal()
})

const storageWith = (...mechanisms: StorageMechanism[]): Storage =>
  storageOf([{ name: 'n1', dataDir, ownDataDir: '/data', pid: async () => null }], {
    mechanisms,
    journal,
    kill: async () => {},
  })

/** A mechanism that can make one kind of disturbance. */
const only = (name: string, able: string): StorageMechanism => ({
  name,
  lacks: (kind) => (kind === able ? null : { what: `${kind} by ${name}`, hint: `install ${name}` }),
  disturb: async () => ({
    mechanism: name,
    counters: async () => [],
    remove: async () => {},
    present: async () => false,
  }),
})

describe('storage', () => {
  it('lets the first mechanism that can make a disturbance make it', async () => {
    const storage = storageWith(only('a', 'slow'), only('b', 'full'), only('c', 'full'))
    expect(storage.lacks('full')).toBeNull()
    expect((await storage.disturb('n1', { kind: 'full' })).mechanism).toBe('b')
  })

  it('names what every mechanism lacks when none can', async () => {
    const storage = storageWith(only('a', 'slow'), only('b', 'full'))
    expect(storage.lacks('flip')).toEqual({
      what: 'flip by a; or flip by b',
      hint: 'install a; or install b',
    })
    await expect(storage.disturb('n1', { kind: 'flip', on: 'read', every: 1 })).rejects.toThrow(
      EnvironmentError,
    )
    await expect(storage.losePower('n1')).rejects.toThrow(EnvironmentError)
  })

  it('lists and reads files, and tells the space', async () => {
    const storage = storageWith()
    expect(await storage.files('n1')).toEqual([{ path: 'wal/1.log', bytes: 8 }])
    expect(Buffer.from(await storage.read('n1', 'wal/1.log')).toString()).toBe('original')
    const { freeBytes, totalBytes } = await storage.space('n1')
    expect(totalBytes).toBeGreaterThan(freeBytes)
    await expect(storage.read('n1', 'wal')).rejects.toThrow('no regular file')
    await expect(storage.files('n2')).rejects.toThrow('there is no node')
  })
})

describe('a file that was replaced', () => {
  const now = () => readFile(join(dataDir, 'wal', '1.log'), 'utf8')
  /** Copies that are still there. */
  const kept = () =>
    journal.all.flatMap((undo) => (undo.kind === 'replaced-file' && existsSync(undo.copy) ? [undo.copy] : []))
  const replace = () => storageWith().replace('n1', 'wal/1.log', Buffer.from('corrupt'))

  it('is written back, once', async () => {
    const replaced = await replace()
    expect(await now()).toBe('corrupt')
    expect(journal.open_.size).toBe(1)
    expect(kept()).toHaveLength(1)
    expect(await replaced.restore()).toBe(true)
    expect(await replaced.restore()).toBe(true)
    expect(await now()).toBe('original')
    expect(journal.open_.size).toBe(0)
    expect(kept()).toEqual([])
  })

  it('is left alone when somebody has gone on with it', async () => {
    const replaced = await replace()
    await writeFile(join(dataDir, 'wal', '1.log'), 'corrupt and more')
    expect(await replaced.restore()).toBe(false)
    expect(await now()).toBe('corrupt and more')
    expect(kept()).toEqual([])
  })

  it('is written back by the journal alone, as often as it is asked', async () => {
    await replace()
    const [undo] = journal.open_.values()
    if (undo === undefined) throw new Error('nothing was journalled')
    expect(await applyUndo(undo)).toMatch(/^wrote wal\/1\.log in .* back$/)
    expect(await now()).toBe('original')
    expect(await applyUndo(undo)).toMatch(/was back/)
    expect(kept()).toEqual([])
  })

  it('is written back when the run has died while it was writing', async () => {
    const kept = join(tmpdir(), `nemesis-kept-${randomUUID()}`)
    onTestFinished(() => rm(kept, { recursive: true, force: true }))
    const copy = join(kept, 'content')
    await mkdir(kept)
    await writeFile(copy, 'original')
    await writeFile(join(dataDir, 'wal', '1.log'), 'corr')
    const sha256 = digestOf(Buffer.from('corrupt'))
    const undo = { kind: 'replaced-file', dataDir, path: 'wal/1.log', copy, sha256 } as const
    expect(await applyUndo(undo)).toMatch(/^wrote wal\/1\.log in .* back$/)
    expect(await now()).toBe('original')
    expect(existsSync(kept)).toBe(false)
  })

  it('is written back when somebody has died while writing it back', async () => {
    await replace()
    const [undo] = journal.open_.values()
    if (undo?.kind !== 'replaced-file') throw new Error('nothing was journalled')
    await rename(undo.copy, `${undo.copy}-away`)
    await mkdir(undo.copy)
    await expect(applyUndo(undo)).rejects.toThrow('EISDIR')
    await rmdir(undo.copy)
    await rename(`${undo.copy}-away`, undo.copy)
    await writeFile(join(dataDir, 'wal', '1.log'), 'orig')
    expect(await applyUndo(undo)).toMatch(/^wrote wal\/1\.log in .* back$/)
    expect(await now()).toBe('original')
  })

  it('leaves no empty directory when somebody has died while removing the copy', async () => {
    await replace()
    const [undo] = journal.open_.values()
    if (undo?.kind !== 'replaced-file') throw new Error('nothing was journalled')
    await rm(undo.copy)
    expect(await applyUndo(undo)).toMatch(/was back/)
    expect(existsSync(dirname(undo.copy))).toBe(false)
    expect(await applyUndo(undo)).toMatch(/was back/)
  })

  it('cannot be used by a damaged journal to write somewhere else, or something else', async () => {
    const replaced = await replace()
    const [undo] = journal.open_.values()
    if (undo?.kind !== 'replaced-file') throw new Error('nothing was journalled')
    await expect(applyUndo({ ...undo, copy: join(dataDir, 'wal', '1.log') })).rejects.toThrow('no copy')
    await expect(applyUndo({ ...undo, path: '../../victim' })).resolves.toMatch(/was back/)
    await replaced.restore()
  })
})
