import { statfsSync } from 'node:fs'
import type { Disturbances, DiskOperation } from './disturbances.js'
import { attributesOf, linkType, nowNs, pathOf, sizeOf, type DirectoryInode, type Inode } from './inode.js'
import {
  attributesReply,
  directoryReply,
  entryReply,
  initReply,
  names,
  number64,
  op,
  openReply,
  setsAttribute,
  spaceReply,
  writeFromCache,
  writeReply,
  type DirectoryItem,
  type Request,
} from './protocol.js'
import { Refusal } from './refusal.js'
import type { Loss, Volume } from './volume.js'

type Answer = (request: Request) => Buffer

interface Handle {
  readonly inode: Inode
  /** What a directory held when it was opened. */
  readonly items: readonly DirectoryItem[]
}

const nothing = Buffer.alloc(0)

/** Requests that change something: refused while the power is off. */
const changing = new Set<number>([
  op.setattr,
  op.symlink,
  op.mknod,
  op.mkdir,
  op.unlink,
  op.rmdir,
  op.rename,
  op.rename2,
  op.link,
  op.write,
  op.fsync,
  op.fsyncdir,
  op.create,
])

/** Requests that need space for a new name. */
const growing = new Set<number>([op.symlink, op.mknod, op.mkdir, op.create, op.link])

const operations: Readonly<Record<number, DiskOperation>> = {
  [op.read]: 'read',
  [op.write]: 'write',
  [op.fsync]: 'fsync',
  [op.fsyncdir]: 'fsync',
}

/** Answers what the kernel asks of a volume, with the disturbances in between. */
export class Requests {
  readonly #volume: Volume
  readonly #disturbances: Disturbances
  readonly #directory: string
  readonly #handles = new Map<number, Handle>()
  #nextHandle = 1
  #off = false

  /** `directory` is where the volume keeps its data: its free space is that of the volume. */
  constructor(volume: Volume, disturbances: Disturbances, directory: string) {
    this.#volume = volume
    this.#disturbances = disturbances
    this.#directory = directory
  }

  /** From now on nothing is changed any more, and nothing is said to be. */
  powerOff(): void {
    this.#off = true
  }

  /** Nothing of what was not synced is there any more. */
  powerOn(): Loss {
    const loss = this.#volume.losePower()
    this.#off = false
    return loss
  }

  /** How long the request is to be held up before it is answered, in milliseconds. */
  delayOf({ opcode }: Request): number {
    const operation = operations[opcode]
    return operation === undefined ? 0 : this.#disturbances.delayOf(operation)
  }

  /** The data of the reply; null for a request that has none. Throws what the request fails with; `errnoOf` reads it. */
  answer(request: Request): Buffer | null {
    const { opcode, body } = request
    if (opcode === op.interrupt) return null
    if (opcode === op.forget || opcode === op.batchForget) {
      this.#forget(request)
      return null
    }
    if (this.#off && changing.has(opcode)) {
      // A page of a process that is no more must be taken, or its end would wait for us; it is lost all the same.
      const fromCache = opcode === op.write && (body.readUInt32LE(20) & writeFromCache) !== 0
      if (fromCache) return writeReply(body.readUInt32LE(16))
      throw new Refusal('EIO')
    }
    const operation = operations[opcode]
    if (operation !== undefined) this.#disturbances.fail(operation)
    if (growing.has(opcode)) this.#disturbances.grow()
    const answer = this.#answers[opcode]
    if (answer === undefined) throw new Refusal('ENOSYS')
    return answer(request)
  }

  readonly #answers: Readonly<Record<number, Answer>> = {
    [op.init]: ({ body }) => initReply(body),
    [op.destroy]: () => nothing,
    [op.flush]: () => nothing,
    [op.lookup]: ({ node, body }) =>
      this.#entry(this.#volume.find(this.#volume.directory(node), only(names(body, 0)))),
    [op.getattr]: ({ node }) => attributesReply(attributesOf(this.#volume.inode(node))),
    [op.setattr]: (request) => this.#setAttributes(request),
    [op.readlink]: ({ node }) => {
      const inode = this.#volume.inode(node)
      if (inode.kind !== 'other') throw new Refusal('EINVAL')
      return Buffer.from(inode.target, 'latin1')
    },
    [op.symlink]: (request) => {
      const [name, target] = names(request.body, 0) as [string, string]
      return this.#entry(this.#create(request, name, { mode: linkType | 0o777, target }))
    },
    [op.mknod]: (request) => {
      const [mode, device] = [request.body.readUInt32LE(0), request.body.readUInt32LE(4)]
      return this.#entry(this.#create(request, only(names(request.body, 16)), { mode, device }))
    },
    [op.mkdir]: (request) => {
      const mode = 0o040000 | (request.body.readUInt32LE(0) & 0o7777)
      return this.#entry(this.#create(request, only(names(request.body, 8)), { mode }))
    },
    [op.unlink]: ({ node, body }) => {
      this.#volume.unlink(this.#volume.directory(node), only(names(body, 0)))
      return nothing
    },
    [op.rmdir]: ({ node, body }) => {
      this.#volume.removeDirectory(this.#volume.directory(node), only(names(body, 0)))
      return nothing
    },
    [op.rename]: (request) => this.#rename(request, names(request.body, 8), 0),
    [op.rename2]: (request) => this.#rename(request, names(request.body, 16), request.body.readUInt32LE(8)),
    [op.link]: ({ node, body }) => {
      const inode = this.#volume.inode(number64(body, 0))
      this.#volume.link(inode, this.#volume.directory(node), only(names(body, 8)))
      return this.#entry(inode)
    },
    [op.open]: ({ node }) => openReply(this.#open(this.#volume.file(node))),
    [op.create]: (request) => {
      const mode = 0o100000 | (request.body.readUInt32LE(4) & 0o7777)
      const inode = this.#create(request, only(names(request.body, 16)), { mode })
      return Buffer.concat([this.#entry(inode), openReply(this.#open(inode))])
    },
    [op.opendir]: ({ node }) => {
      const directory = this.#volume.directory(node)
      return openReply(this.#open(directory, listed(directory)))
    },
    [op.read]: ({ node, body }) => {
      const [offset, bytes] = [number64(body, 8), body.readUInt32LE(16)]
      const file = this.#volume.file(node)
      const data = file.content.read(offset, bytes)
      return this.#disturbances.flipped('read', data, { path: () => pathOf(file), offset })
    },
    [op.write]: (request) => this.#write(request),
    [op.readdir]: ({ body }) =>
      directoryReply(this.#handle(body).items, number64(body, 8), body.readUInt32LE(16)),
    [op.fsync]: ({ node }) => this.#sync(node),
    [op.fsyncdir]: ({ node }) => this.#sync(node),
    [op.release]: ({ body }) => this.#release(body),
    [op.releasedir]: ({ body }) => this.#release(body),
    [op.statfs]: () => {
      const { blocks, bavail, bsize } = statfsSync(this.#directory)
      return spaceReply({ blocks, freeBlocks: this.#disturbances.full ? 0 : bavail, blockBytes: bsize })
    },
  }

  #create(request: Request, name: string, of: { mode: number; target?: string; device?: number }): Inode {
    const { node, uid, gid } = request
    return this.#volume.create(this.#volume.directory(node), name, { ...of, uid, gid })
  }

  #entry(inode: Inode): Buffer {
    inode.lookups += 1
    return entryReply(attributesOf(inode))
  }

  #setAttributes({ node, body }: Request): Buffer {
    const inode = this.#volume.inode(node)
    const valid = body.readUInt32LE(0)
    const sets = (field: number) => (valid & field) !== 0
    if (sets(setsAttribute.size)) {
      const file = this.#volume.file(node)
      const size = number64(body, 16)
      if (size > file.content.size) this.#disturbances.grow()
      this.#volume.truncate(file, size)
    }
    const time = (seconds: number, nanoseconds: number) =>
      body.readBigUInt64LE(seconds) * 1_000_000_000n + BigInt(body.readUInt32LE(nanoseconds))
    const timeTo = (given: number, now: number, at: readonly [number, number]) =>
      sets(now) ? nowNs() : sets(given) ? time(...at) : undefined
    const to = {
      mode: sets(setsAttribute.mode) ? body.readUInt32LE(68) : undefined,
      uid: sets(setsAttribute.uid) ? body.readUInt32LE(76) : undefined,
      gid: sets(setsAttribute.gid) ? body.readUInt32LE(80) : undefined,
      atime: timeTo(setsAttribute.atime, setsAttribute.atimeNow, [32, 56]),
      mtime: timeTo(setsAttribute.mtime, setsAttribute.mtimeNow, [40, 60]),
    }
    if (Object.values(to).some((value) => value !== undefined)) this.#volume.setAttributes(inode, to)
    return attributesReply(attributesOf(inode))
  }

  #rename({ node, body }: Request, [from, to]: readonly string[], flags: number): Buffer {
    const target = this.#volume.directory(number64(body, 0))
    this.#volume.rename(
      { parent: this.#volume.directory(node), name: from as string },
      { parent: target, name: to as string },
      flags,
    )
    return nothing
  }

  #write({ node, body }: Request): Buffer {
    const [offset, bytes] = [number64(body, 8), body.readUInt32LE(16)]
    const file = this.#volume.file(node)
    // What lies within the file has its space already.
    if (offset + bytes > sizeOf(file)) this.#disturbances.grow()
    const data = body.subarray(40, 40 + bytes)
    const stored = this.#disturbances.flipped('write', data, { path: () => pathOf(file), offset })
    this.#volume.write(file, offset, stored)
    return writeReply(bytes)
  }

  #sync(node: number): Buffer {
    this.#volume.sync(this.#volume.inode(node))
    return nothing
  }

  #open(inode: Inode, items: readonly DirectoryItem[] = []): number {
    const handle = this.#nextHandle++
    this.#handles.set(handle, { inode, items })
    this.#volume.opened(inode)
    return handle
  }

  #handle(body: Buffer): Handle {
    const handle = this.#handles.get(number64(body, 0))
    if (handle === undefined) throw new Refusal('EBADF')
    return handle
  }

  #release(body: Buffer): Buffer {
    const { inode } = this.#handle(body)
    this.#handles.delete(number64(body, 0))
    this.#volume.released(inode)
    return nothing
  }

  #forget({ opcode, node, body }: Request): void {
    if (opcode === op.forget) return this.#volume.forgotten(node, number64(body, 0))
    const count = body.readUInt32LE(0)
    for (let index = 0; index < count; index += 1) {
      this.#volume.forgotten(number64(body, 8 + 16 * index), number64(body, 16 + 16 * index))
    }
  }
}

function listed(directory: DirectoryInode): readonly DirectoryItem[] {
  const parent = directory.place?.parent ?? directory
  return [
    { name: '.', id: directory.id, mode: directory.mode },
    { name: '..', id: parent.id, mode: parent.mode },
    ...[...directory.entries].map(([name, { id, mode }]) => ({ name, id, mode })),
  ]
}

function only([name = '']: readonly string[]): string {
  return name
}
