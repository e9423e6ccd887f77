import { constants } from 'node:fs'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFile,
  chmod,
  chown,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rmdir,
  stat,
  statfs,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { Random } from '../../../../src/random/random.js'
import { becomes } from '../../../../src/time/wait.js'
import { requires } from '../../../support/requirements.js'
import { temporaryDirectory } from '../../../support/temporary.js'
import { mountDisk } from '../disks.js'

const run = promisify(execFile)
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: NodeJS.ErrnoException) => error.code,
  )

requires(
  'linux',
  'root',
  'fuse',
  'python',
)('a FUSE file system of our own', () => {
  it('does what the file system of this machine does, in a random order', { timeout: 240_000 }, async () => {
    const disk = await mountDisk('fuse')
    const reference = await temporaryDirectory()
    const random = new Random(3)
    const [names, directories] = [
      ['a', 'b', 'c'],
      ['', 'd', 'e'],
    ]
    const path = () => join(random.pick(directories), random.pick(names))
    for (let step = 0; step < 1_500; step += 1) {
      const [one, other, size, at] = [path(), path(), random.int(0, 20_000), random.int(0, 20_000)]
      const directory = random.pick(directories.slice(1))
      const act = random.pick<(root: string) => Promise<unknown>>([
        (root) => writeFile(join(root, one), String(step).repeat(size)),
        (root) => appendFile(join(root, one), String(step)),
        (root) => truncate(join(root, one), size),
        (root) => rename(join(root, one), join(root, other)),
        (root) => link(join(root, one), join(root, other)),
        (root) => symlink(one, join(root, other)),
        (root) => readlink(join(root, one)),
        (root) => unlink(join(root, one)),
        (root) => mkdir(join(root, directory)),
        (root) => rmdir(join(root, directory)),
        (root) => chmod(join(root, one), 0o600 + (step % 8)),
        (root) => chown(join(root, one), step, step + 1),
        (root) => utimes(join(root, one), step, step + 1),
        (root) => rename(join(root, directory), join(root, 'e')),
        async (root) => {
          const file = await open(
            join(root, one),
            constants.O_RDWR | (step % 2 === 0 ? constants.O_CREAT : 0),
          )
          try {
            await file.write(Buffer.from(String(step)), 0, undefined, at)
            if (step % 3 === 0) await file.sync()
            return (await file.read(Buffer.alloc(100), 0, 100, size)).bytesRead
          } finally {
            await file.close()
          }
        },
      ])
      const [ours, theirs] = [await outcome(act(disk.directory)), await outcome(act(reference))]
      expect(ours, `step ${step}: ${act}`).toEqual(theirs)
      if (step % 50 === 0) expect(await look(disk.directory)).toEqual(await look(reference))
    }
    expect(await look(disk.directory)).toEqual(await look(reference))
  })

  it('serves memory that is mapped, locks, pipes and thousands of names', { timeout: 120_000 }, async () => {
    const { directory } = await mountDisk('fuse')
    const program = `
import fcntl, mmap, os
f = open('m', 'w+b'); f.truncate(8192); m = mmap.mmap(f.fileno(), 8192)
m[0:5] = b'hello'; m.flush(); assert open('m', 'rb').read(5) == b'hello'
f.seek(100); f.write(b'written'); f.flush(); assert m[100:107] == b'written'
fcntl.flock(f, fcntl.LOCK_EX); g = open('m', 'rb')
try: fcntl.flock(g, fcntl.LOCK_EX | fcntl.LOCK_NB); raise SystemExit('the lock does not hold')
except OSError: pass
os.unlink('m'); f.seek(0); assert f.read(5) == b'hello'
for i in range(3000): open('f%d' % i, 'w').close()
assert len(os.listdir('.')) == 3000
os.mkfifo('p')
`
    await expect(run('python3', ['-c', program], { cwd: directory })).resolves.toBeDefined()
  })

  it('goes on while this process is busy', async () => {
    const { directory } = await mountDisk('fuse')
    const target = join(directory, 'f')
    // Blocks this thread: a file system in this process would wait for itself.
    execFileSync('dd', ['if=/dev/zero', `of=${target}`, 'bs=512', 'count=50', 'oflag=dsync'], {
      stdio: 'ignore',
      timeout: 60_000,
    })
    expect((await stat(target)).size).toBe(25_600)
  })

  it('has no space for new data while it is full, and keeps what is there', async () => {
    const { directory, disturb } = await mountDisk('fuse')
    await writeFile(join(directory, 'old'), 'old')
    const rule = await disturb({ kind: 'full' })
    expect((await statfs(directory)).bavail).toBe(0)
    expect(await code(appendFile(join(directory, 'old'), 'x'))).toBe('ENOSPC')
    expect(await code(writeFile(join(directory, 'new'), 'x'))).toBe('ENOSPC')
    const file = await open(join(directory, 'old'), 'r+')
    await file.write('X', 0)
    await file.close()
    expect(await readFile(join(directory, 'old'), 'utf8')).toBe('Xld')
    expect(await rule.counters()).toEqual([{ signal: 'operations that found no space', value: 2 }])
    await rule.remove()
    await rule.remove()
    expect(await rule.present()).toBe(false)
    expect(await code(writeFile(join(directory, 'new'), 'x'))).toBe('done')
    expect(await rule.counters()).toEqual([{ signal: 'operations that found no space', value: 2 }])
  })

  it.each([
    ['fsync', (file: string) => synced(file)],
    ['write', (file: string) => appendFile(file, 'x')],
    ['read', (file: string) => readFile(file)],
  ] as const)('fails on %s with the error asked for, and on nothing else', async (operation, act) => {
    const { directory, disturb } = await mountDisk('fuse')
    const file = join(directory, 'f')
    await writeFile(file, 'content')
    const acts = {
      fsync: synced,
      write: (path: string) => appendFile(path, 'x'),
      read: (path: string) => readFile(path),
    }
    const rule = await disturb({ kind: 'fail', operation, error: 'EIO' })
    expect(await code(act(file))).toBe('EIO')
    for (const [name, other] of Object.entries(acts)) {
      if (name !== operation) expect(await code(other(file)), name).toBe('done')
    }
    expect((await rule.counters())[0]?.value).toBeGreaterThan(0)
    await rule.remove()
    expect(await code(act(file))).toBe('done')
  })

  it('holds writes and syncs up', async () => {
    const { directory, disturb } = await mountDisk('fuse')
    const rule = await disturb({ kind: 'slow', delayMs: 200 })
    const began = performance.now()
    await writeFile(join(directory, 'f'), 'x')
    expect(performance.now() - began).toBeGreaterThan(195)
    expect(await rule.counters()).toEqual([{ signal: 'writes and syncs that were held up', value: 1 }])
  })

  it('flips a bit in every so many writes, and tells which', async () => {
    const { directory, disturb } = await mountDisk('fuse')
    const file = join(directory, 'f')
    await writeFile(file, '')
    const rule = await disturb({ kind: 'flip', on: 'write', every: 2 })
    for (let index = 0; index < 4; index += 1) await appendFile(file, 'AAAA')
    expect(await readFile(file, 'latin1')).toBe('AAAAAA@AAAAAAA@A')
    expect(await rule.victims?.()).toEqual([
      { signal: 'byte 6 of f, as it is on the disk', before: '0x41', after: '0x40' },
      { signal: 'byte 14 of f, as it is on the disk', before: '0x41', after: '0x40' },
    ])
  })

  it('flips a bit in what is read, also by one who has read it before, and only while it is to', async () => {
    const { directory, disturb } = await mountDisk('fuse')
    const path = join(directory, 'f')
    await writeFile(path, 'AAAA')
    const file = await open(path, 'r')
    const read = async () => (await file.read(Buffer.alloc(4), 0, 4, 0)).buffer.toString()
    try {
      expect(await read()).toBe('AAAA')
      const rule = await disturb({ kind: 'flip', on: 'read', every: 1 })
      expect(await read()).toBe('AA@A')
      expect(await rule.victims?.()).toEqual([
        { signal: 'byte 2 of f, as the node was given it', before: '0x41', after: '0x40' },
      ])
      await rule.remove()
      expect(await read()).toBe('AAAA')
    } finally {
      await file.close()
    }
  })

  it('forgets at a power loss what no program has synced', async () => {
    const { directory, losePower } = await mountDisk('fuse')
    const file = join(directory, 'f')
    await writeFile(file, 'synced')
    await synced(file)
    await appendFile(file, ' not')
    await mkdir(join(directory, 'd'))
    expect(await losePower()).toMatchObject({ lost: 4 })
    expect(await readFile(file, 'utf8')).toBe('synced')
    expect(await readdir(directory)).toEqual(['f'])
  })

  it('keeps at a power loss what O_DSYNC, msync and a sync of the directory have made last', async () => {
    const { directory, losePower } = await mountDisk('fuse')
    const program = `
import mmap, os
f = os.open('dsync', os.O_CREAT | os.O_WRONLY | os.O_DSYNC); os.write(f, b'dsync')
f = open('mapped', 'w+b'); f.truncate(4096); m = mmap.mmap(f.fileno(), 4096); m[0:6] = b'mapped'; m.flush()
m2 = open('dirty', 'w+b'); m2.truncate(4096); m2.flush(); os.fsync(m2.fileno())
m3 = mmap.mmap(m2.fileno(), 4096); m3[0:5] = b'dirty'
os.close(os.open('empty', os.O_CREAT | os.O_WRONLY)); d = os.open('.', os.O_RDONLY); os.fsync(d)
open('never', 'w').close()
try: os.posix_fallocate(f.fileno(), 0, 10000)
except OSError as e: print(e)
print(sorted(os.listdir('.')))
`
    const { stdout } = await run('python3', ['-c', program], { cwd: directory })
    expect(stdout.trim()).toBe("['dirty', 'dsync', 'empty', 'mapped', 'never']")
    await losePower()
    expect((await readdir(directory)).toSorted()).toEqual(['dirty', 'dsync', 'empty', 'mapped'])
    expect(await readFile(join(directory, 'dsync'), 'utf8')).toBe('dsync')
    expect((await readFile(join(directory, 'mapped'), 'utf8')).slice(0, 6)).toBe('mapped')
    expect((await readFile(join(directory, 'dirty'), 'utf8')).slice(0, 5)).toBe('\0'.repeat(5))
    expect(await readFile(join(directory, 'empty'), 'utf8')).toBe('')
  })

  it('says that its process has ended, also at the end, and is unmounted all the same', async () => {
    const { directory, disturb, close, journal } = await mountDisk('fuse')
    const rule = await disturb({ kind: 'full' })
    const ours = journal.all.find((undo) => undo.kind === 'process')
    if (ours?.kind !== 'process') throw new Error('the process is not journalled')
    process.kill(ours.pid, 'SIGKILL')
    await expect(rule.counters()).rejects.toThrow('its process has ended')
    expect(await code(readFile(join(directory, 'f')))).toBe('ENOTCONN')
    await expect(close()).rejects.toThrow('its process has ended')
    expect(journal.open_.size).toBe(0)
    expect(await readFile('/proc/self/mountinfo', 'utf8')).not.toContain(directory)
  })

  it('ends with its last user when it is unmounted while it is in use', { timeout: 120_000 }, async () => {
    const { directory, close, journal } = await mountDisk('fuse')
    const user = spawn('sleep', ['60'], { cwd: directory, stdio: 'ignore' })
    const gone = once(user, 'exit')
    try {
      await close()
      expect(await readFile('/proc/self/mountinfo', 'utf8')).not.toContain(directory)
      expect(journal.open_.size).toBe(0)
    } finally {
      user.kill('SIGKILL')
      await gone
    }
  })
})

describe('its process', () => {
  it('is gone once nothing is mounted', async () => {
    expect(await becomes(async () => (await servers()) === 0, { withinMs: 60_000 })).toBe(true)
  })
})

/** Processes of file systems that these tests have started. */
async function servers(): Promise<number> {
  const { stdout } = await run('ps', ['-eo', 'ppid=,args='])
  return stdout
    .split('\n')
    .filter((line) => line.includes('storage/fuse/server.js') && Number.parseInt(line, 10) === process.pid)
    .length
}

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** What a call did: what it gave, or the code of its error. */
async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    return (await work) ?? 'done'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

/** Everything below a directory, with what stat(2) says of it. */
async function look(root: string): Promise<unknown> {
  const found: Record<string, unknown> = {}
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    const { mode, uid, gid, nlink, size } = await stat(path).catch(() => ({
      mode: null,
      uid: null,
      gid: null,
      nlink: null,
      size: null,
    }))
    const of = path.slice(root.length)
    if (entry.isSymbolicLink()) found[of] = await readlink(path)
    else if (entry.isFile())
      found[of] = { mode, uid, gid, nlink, size, content: await readFile(path, 'latin1') }
    else found[of] = { mode, uid, gid, nlink }
  }
  return found
}
