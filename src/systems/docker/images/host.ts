import { execFileSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import tar from 'tar-stream'
import { EnvironmentError } from '../../../errors.js'
import type { Engine } from '../engine.js'
import { findProgram } from '../../program.js'
import { closureOf, fingerprint, type ImageFile } from './closure.js'
import { answerOf } from './answer.js'
import { hasImage } from './present.js'
import type { HostImage } from './source.js'

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const directories: readonly (readonly [string, number])[] = [
  ...['bin', 'data', 'dev', 'etc', 'proc', 'run', 'sys', 'usr', 'usr/bin', 'var'].map(
    (name) => [name, 0o755] as const,
  ),
  ['root', 0o700],
  // Both must be writable for whatever user the program runs as.
  ['tmp', 0o1777],
  ['var/tmp', 0o1777],
]

const texts: Readonly<Record<string, string>> = {
  'etc/passwd': 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n',
  'etc/group': 'root:x:0:\nnogroup:x:65534:\n',
  'etc/nsswitch.conf': 'hosts: files dns\n',
}

/** Makes the image unless the engine has it already. Returns its full name. */
export async function ensureHostImage(engine: Engine, image: HostImage): Promise<string> {
  if (process.platform !== 'linux') {
    throw new EnvironmentError(
      'Linux',
      'imageFromHost() takes programs of a Linux machine',
      'use another image',
    )
  }
  const busybox = findProgram('busybox')
  const files = closureOf(busybox === null ? image.binaries : [...image.binaries, busybox], image.files)
  const links = busybox === null ? [] : appletLinks(busybox, files)
  const version = fingerprint(files, [image.command, links, directories, texts])
  const name = `${image.tag}:${version}`
  if (await hasImage(engine, name)) return name
  const changes = [
    `CMD ${JSON.stringify(image.command ?? [files[0]?.target])}`,
    `ENV PATH=${searchPath}`,
    'LABEL nemesis.image=host',
  ]
  const pack = tar.pack()
  const packed = packAll(pack, { files, links, busybox })
  const answer = engine.importImage(pack.pipe(new PassThrough()), { repo: image.tag, tag: version, changes })
  await Promise.all([packed, answer.then((stream) => answerOf(stream, `importing ${name}`))])
  return name
}

/** Names under `/bin` that lead to busybox: those that no other program of the image stands for. */
function appletLinks(busybox: string, files: readonly ImageFile[]): string[] {
  const taken = new Set(files.map((file) => file.target.slice(file.target.lastIndexOf('/') + 1)))
  return execFileSync(busybox, ['--list'], { encoding: 'utf8' })
    .split('\n')
    .filter((applet) => applet !== '' && !taken.has(applet))
}

async function packAll(
  pack: tar.Pack,
  {
    files,
    links,
    busybox,
  }: { files: readonly ImageFile[]; links: readonly string[]; busybox: string | null },
): Promise<void> {
  try {
    for (const [name, mode] of directories) await add(pack, { name: `${name}/`, type: 'directory', mode })
    for (const [name, text] of Object.entries(texts))
      await add(pack, { name, mode: 0o644 }, Buffer.from(text))
    for (const applet of links) {
      await add(pack, { name: `bin/${applet}`, type: 'symlink', linkname: busybox as string })
    }
    for (const { target, source, stats } of files) {
      const header = { name: target.slice(1), mode: stats.mode & 0o7777, size: stats.size }
      await add(pack, header, createReadStream(source))
    }
    pack.finalize()
  } catch (error) {
    pack.destroy(error as Error)
    throw error
  }
}

type Entry = Partial<tar.Header> & { name: string }

function add(pack: tar.Pack, header: Entry, content?: Buffer | Readable): Promise<void> {
  // A fixed time keeps layers equal from one making to the next.
  const entry = { mtime: new Date(0), uid: 0, gid: 0, ...header }
  if (content !== undefined && !Buffer.isBuffer(content)) return pipeline(content, pack.entry(entry))
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve())
    if (content === undefined) pack.entry(entry, done)
    else pack.entry(entry, content, done)
  })
}
