import type { Attributes } from './protocol.js'
import type { FileContent } from './file-content.js'

const directoryType = 0o040000
const fileType = 0o100000
export const linkType = 0o120000
const typeMask = 0o170000

interface Owned {
  readonly id: number
  /** With the type in its upper bits. */
  mode: number
  uid: number
  gid: number
  /** Names that lead to it. */
  links: number
  atime: bigint
  mtime: bigint
  ctime: bigint
  /** How often the kernel was told its id and has not forgotten it. */
  lookups: number
  /** Open handles. */
  handles: number
  /** Where it was last put, for reports. */
  place: { readonly parent: DirectoryInode; readonly name: string } | null
}

export interface FileInode extends Owned {
  readonly kind: 'file'
  readonly content: FileContent
}

export interface DirectoryInode extends Owned {
  readonly kind: 'directory'
  /** By name, one character a byte. */
  readonly entries: Map<string, Inode>
}

/** A symbolic link, or a pipe, socket or device: the kernel does all that is to do with those. */
export interface OtherInode extends Owned {
  readonly kind: 'other'
  readonly target: string
  readonly device: number
}

export type Inode = FileInode | DirectoryInode | OtherInode

export interface NewInode {
  readonly id: number
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly target?: string | undefined
  readonly device?: number | undefined
}

/** `content` is called for a regular file. */
export function newInode(of: NewInode, content: () => FileContent): Inode {
  const now = nowNs()
  const owned: Owned = {
    id: of.id,
    mode: of.mode,
    uid: of.uid,
    gid: of.gid,
    links: 0,
    atime: now,
    mtime: now,
    ctime: now,
    lookups: 0,
    handles: 0,
    place: null,
  }
  const type = of.mode & typeMask
  if (type === directoryType) return { ...owned, kind: 'directory', entries: new Map() }
  if (type === fileType) return { ...owned, kind: 'file', content: content() }
  return { ...owned, kind: 'other', target: of.target ?? '', device: of.device ?? 0 }
}

export function attributesOf(inode: Inode): Attributes {
  return {
    ...inode,
    size: sizeOf(inode),
    links: inode.kind === 'directory' ? 2 + subdirectories(inode) : inode.links,
    device: inode.kind === 'other' ? inode.device : 0,
  }
}

export function sizeOf(inode: Inode): number {
  if (inode.kind === 'file') return inode.content.size
  return inode.kind === 'directory' ? 4_096 : inode.target.length
}

function subdirectories({ entries }: DirectoryInode): number {
  let count = 0
  for (const { kind } of entries.values()) if (kind === 'directory') count += 1
  return count
}

/** Below the data directory, such as `appendonlydir/a.aof`; readable, not for use as a path. */
export function pathOf(inode: Inode): string {
  const parts: string[] = []
  for (let { place } = inode; place !== null; place = place.parent.place) parts.unshift(place.name)
  return Buffer.from(parts.join('/'), 'latin1').toString('utf8')
}

/** Nanoseconds since the epoch. */
export function nowNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n
}
