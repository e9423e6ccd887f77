/**
 * The FUSE kernel protocol, version 7.31, little-endian: linux/fuse.h of the kernel's user-space headers. Only what a
 * file system for servers' data directories is asked for; what is missing here is answered with ENOSYS, upon which the
 * kernel does without.
 */
export const op = {
  lookup: 1,
  forget: 2,
  getattr: 3,
  setattr: 4,
  readlink: 5,
  symlink: 6,
  mknod: 8,
  mkdir: 9,
  unlink: 10,
  rmdir: 11,
  rename: 12,
  link: 13,
  open: 14,
  read: 15,
  write: 16,
  statfs: 17,
  release: 18,
  fsync: 20,
  flush: 25,
  init: 26,
  opendir: 27,
  readdir: 28,
  releasedir: 29,
  fsyncdir: 30,
  create: 35,
  interrupt: 36,
  destroy: 38,
  batchForget: 42,
  rename2: 45,
} as const

/** Which fields a setattr request sets. */
export const setsAttribute = {
  mode: 1,
  uid: 2,
  gid: 4,
  size: 8,
  atime: 16,
  mtime: 32,
  atimeNow: 128,
  mtimeNow: 256,
}

/** A write that the kernel makes from its page cache, for pages that a process has mapped into its memory. */
export const writeFromCache = 1

/** The largest single write, in bytes. */
export const maxWriteBytes = 1 << 20
export const requestBytesMax = maxWriteBytes + 65_536

const headerBytes = 40

/** One request of the kernel. `body` is only valid until the next one is read. */
export interface Request {
  readonly opcode: number
  readonly unique: bigint
  readonly node: number
  readonly uid: number
  readonly gid: number
  readonly body: Buffer
}

export function parseRequest(bytes: Buffer): Request {
  return {
    opcode: bytes.readUInt32LE(4),
    unique: bytes.readBigUInt64LE(8),
    node: Number(bytes.readBigUInt64LE(16)),
    uid: bytes.readUInt32LE(24),
    gid: bytes.readUInt32LE(28),
    body: bytes.subarray(headerBytes),
  }
}

/** A 64-bit number that is known to fit: sizes, offsets and ids of our own. */
export function number64(body: Buffer, offset: number): number {
  return Number(body.readBigUInt64LE(offset))
}

/** The names at the end of a request, each ended by a zero. Bytes are kept as they are: one character is one byte. */
export function names(body: Buffer, offset: number): readonly string[] {
  return body.toString('latin1', offset).split('\0').slice(0, -1)
}

export function replyHeader(unique: bigint, errno: number, dataBytes: number): Buffer {
  const header = Buffer.alloc(16)
  header.writeUInt32LE(16 + dataBytes, 0)
  header.writeInt32LE(-errno, 4)
  header.writeBigUInt64LE(unique, 8)
  return header
}

/** Asks the kernel to drop what it has cached of a file's content. A message of our own, not a reply. */
export function invalidateContent(node: number): Buffer {
  const invalidatesInode = 2
  const message = Buffer.alloc(40)
  message.writeUInt32LE(40, 0)
  message.writeInt32LE(invalidatesInode, 4)
  message.writeBigUInt64LE(BigInt(node), 16)
  // From offset 0, and no length: everything.
  return message
}

/** What the kernel is told at the start: the version, and how much it may send at once. */
export function initReply(request: Buffer): Buffer {
  const [asyncRead, bigWrites, checkChanges, maxPages] = [1, 1 << 5, 1 << 12, 1 << 22]
  const wanted = asyncRead | bigWrites | checkChanges | maxPages
  const reply = Buffer.alloc(64)
  reply.writeUInt32LE(7, 0)
  reply.writeUInt32LE(31, 4)
  reply.writeUInt32LE(request.readUInt32LE(8), 8)
  reply.writeUInt32LE((wanted & request.readUInt32LE(12)) >>> 0, 12)
  reply.writeUInt16LE(16, 16)
  reply.writeUInt16LE(12, 18)
  reply.writeUInt32LE(maxWriteBytes, 20)
  reply.writeUInt32LE(1, 24)
  reply.writeUInt16LE(maxWriteBytes / 4_096, 28)
  return reply
}

export interface Attributes {
  readonly id: number
  readonly size: number
  /** With the type of the file in its upper bits, as in stat(2). */
  readonly mode: number
  readonly links: number
  readonly uid: number
  readonly gid: number
  readonly device: number
  /** Times are nanoseconds since the epoch. */
  readonly atime: bigint
  readonly mtime: bigint
  readonly ctime: bigint
}

const attributesBytes = 88

function writeAttributes(reply: Buffer, at: number, of: Attributes): void {
  reply.writeBigUInt64LE(BigInt(of.id), at)
  reply.writeBigUInt64LE(BigInt(of.size), at + 8)
  reply.writeBigUInt64LE(BigInt(Math.ceil(of.size / 512)), at + 16)
  for (const [index, time] of [of.atime, of.mtime, of.ctime].entries()) {
    reply.writeBigUInt64LE(time / 1_000_000_000n, at + 24 + 8 * index)
    reply.writeUInt32LE(Number(time % 1_000_000_000n), at + 48 + 4 * index)
  }
  for (const [index, value] of [of.mode, of.links, of.uid, of.gid, of.device, 4_096].entries()) {
    reply.writeUInt32LE(value, at + 60 + 4 * index)
  }
}

/** The kernel may keep none of it: each look goes to us again, so that a power loss shows at once. */
export function attributesReply(of: Attributes): Buffer {
  const reply = Buffer.alloc(16 + attributesBytes)
  writeAttributes(reply, 16, of)
  return reply
}

export function entryReply(of: Attributes): Buffer {
  const reply = Buffer.alloc(40 + attributesBytes)
  reply.writeBigUInt64LE(BigInt(of.id), 0)
  writeAttributes(reply, 40, of)
  return reply
}

export function openReply(handle: number): Buffer {
  const reply = Buffer.alloc(16)
  reply.writeBigUInt64LE(BigInt(handle), 0)
  return reply
}

export function writeReply(bytes: number): Buffer {
  const reply = Buffer.alloc(8)
  reply.writeUInt32LE(bytes, 0)
  return reply
}

export interface SpaceReading {
  readonly blocks: number
  readonly freeBlocks: number
  readonly blockBytes: number
}

export function spaceReply({ blocks, freeBlocks, blockBytes }: SpaceReading): Buffer {
  const files = 1 << 20
  const reply = Buffer.alloc(80)
  for (const [index, value] of [blocks, freeBlocks, freeBlocks, files, files].entries()) {
    reply.writeBigUInt64LE(BigInt(value), 8 * index)
  }
  for (const [index, value] of [blockBytes, 255, blockBytes].entries()) {
    reply.writeUInt32LE(value, 40 + 4 * index)
  }
  return reply
}

export interface DirectoryItem {
  readonly name: string
  readonly id: number
  readonly mode: number
}

/** As many items from `offset` on as fit into `bytesMax`. */
export function directoryReply(items: readonly DirectoryItem[], offset: number, bytesMax: number): Buffer {
  const parts: Buffer[] = []
  let left = bytesMax
  for (const [index, { name, id, mode }] of items.entries()) {
    if (index < offset) continue
    const part = Buffer.alloc((24 + name.length + 7) & ~7)
    left -= part.length
    if (left < 0) break
    part.writeBigUInt64LE(BigInt(id), 0)
    part.writeBigUInt64LE(BigInt(index + 1), 8)
    part.writeUInt32LE(name.length, 16)
    part.writeUInt32LE((mode >> 12) & 15, 20)
    part.write(name, 24, 'latin1')
    parts.push(part)
  }
  return Buffer.concat(parts)
}
