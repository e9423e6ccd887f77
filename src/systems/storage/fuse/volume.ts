import { join } from 'node:path'
import { FileContent } from './file-content.js'
import { newInode, nowNs, type DirectoryInode, type FileInode, type Inode, type NewInode } from './inode.js'
import { Refusal } from './refusal.js'

const rootId = 1
const noReplace = 1

/** What a power loss took away. */
export interface Loss {
  /** Bytes written or cut off that were not synced, in files whose names survived and in those that vanished. */
  readonly bytes: number
  /** Changes of names, owners and modes that were undone. */
  readonly changes: number
}

export interface NewAttributes {
  readonly mode?: number | undefined
  readonly uid?: number | undefined
  readonly gid?: number | undefined
  readonly atime?: bigint | undefined
  readonly mtime?: bigint | undefined
}

/**
 * A tree of files that can forget what was not synced.
 *
 * Names, owners and modes are kept in memory and the content of each file in a file of its own in `directory`, under
 * its number. The rule of what survives is that of a journalling file system: a sync of anything makes every earlier
 * change of names, owners and modes last, as it commits the journal, and the content of that one file. Content is never
 * made to last by anything but a sync of its own file. All of it is legal by POSIX, and stricter than ext4 in two ways:
 * nothing is written back by itself after a while, and a rename does not make the content last.
 *
 * Methods throw Refusal, or what the directory behind them says.
 */
export class Volume {
  readonly root: DirectoryInode
  readonly #directory: string
  readonly #inodes = new Map<number, Inode>()
  /** What takes back each change of names, owners and modes since the last sync. */
  readonly #uncommitted: (() => void)[] = []
  /** No name leads to them: they go once nothing holds them and no power loss can bring the name back. */
  readonly #nameless = new Set<Inode>()
  #nextId = rootId

  constructor(directory: string) {
    this.#directory = directory
    this.root = this.#make({ mode: 0o040755, uid: 0, gid: 0 }) as DirectoryInode
    this.root.links = 1
  }

  inode(id: number): Inode {
    const inode = this.#inodes.get(id)
    if (inode === undefined) throw new Refusal('ESTALE')
    return inode
  }

  directory(id: number): DirectoryInode {
    const inode = this.inode(id)
    if (inode.kind !== 'directory') throw new Refusal('ENOTDIR')
    return inode
  }

  file(id: number): FileInode {
    const inode = this.inode(id)
    if (inode.kind !== 'file') throw new Refusal(inode.kind === 'directory' ? 'EISDIR' : 'EINVAL')
    return inode
  }

  find(parent: DirectoryInode, name: string): Inode {
    const inode = parent.entries.get(name)
    if (inode === undefined) throw new Refusal('ENOENT')
    return inode
  }

  create(parent: DirectoryInode, name: string, of: Omit<NewInode, 'id'>): Inode {
    if (parent.entries.has(name)) throw new Refusal('EEXIST')
    const inode = this.#make(of)
    this.#enter(parent, name, inode)
    return inode
  }

  link(inode: Inode, parent: DirectoryInode, name: string): void {
    if (inode.kind === 'directory') throw new Refusal('EPERM')
    if (parent.entries.has(name)) throw new Refusal('EEXIST')
    this.#enter(parent, name, inode)
  }

  unlink(parent: DirectoryInode, name: string): void {
    if (this.find(parent, name).kind === 'directory') throw new Refusal('EISDIR')
    this.#enter(parent, name, null)
  }

  removeDirectory(parent: DirectoryInode, name: string): void {
    const inode = this.find(parent, name)
    if (inode.kind !== 'directory') throw new Refusal('ENOTDIR')
    if (inode.entries.size > 0) throw new Refusal('ENOTEMPTY')
    this.#enter(parent, name, null)
  }

  /** `flags` as of renameat2(2). */
  rename(
    from: { readonly parent: DirectoryInode; readonly name: string },
    to: { readonly parent: DirectoryInode; readonly name: string },
    flags: number,
  ): void {
    const inode = this.find(from.parent, from.name)
    const replaced = to.parent.entries.get(to.name)
    if ((flags & ~noReplace) !== 0) throw new Refusal('EINVAL')
    if (replaced === inode) return
    if (replaced !== undefined) {
      if (flags === noReplace) throw new Refusal('EEXIST')
      if (inode.kind === 'directory' && replaced.kind !== 'directory') throw new Refusal('ENOTDIR')
      if (inode.kind !== 'directory' && replaced.kind === 'directory') throw new Refusal('EISDIR')
      if (replaced.kind === 'directory' && replaced.entries.size > 0) throw new Refusal('ENOTEMPTY')
    }
    this.#enter(to.parent, to.name, inode)
    this.#enter(from.parent, from.name, null)
    inode.place = to
  }

  setAttributes(inode: Inode, to: NewAttributes): void {
    const { mode, uid, gid } = inode
    // Whose the data directory is was settled before the node, like the mount itself.
    if (inode !== this.root) this.#uncommitted.push(() => Object.assign(inode, { mode, uid, gid }))
    const type = inode.mode & ~0o7777
    if (to.mode !== undefined) inode.mode = type | (to.mode & 0o7777)
    for (const field of ['uid', 'gid'] as const) inode[field] = to[field] ?? inode[field]
    for (const field of ['atime', 'mtime'] as const) inode[field] = to[field] ?? inode[field]
    inode.ctime = nowNs()
  }

  write(file: FileInode, offset: number, data: Buffer): void {
    file.content.write(offset, data)
    file.mtime = file.ctime = nowNs()
  }

  truncate(file: FileInode, size: number): void {
    file.content.truncate(size)
    file.mtime = file.ctime = nowNs()
  }

  /** Makes the content of a file last, and every change of names. */
  sync(inode: Inode): void {
    if (inode.kind === 'file') inode.content.sync()
    this.#uncommitted.length = 0
    this.#sweep()
  }

  /** Forgets what was not synced. */
  losePower(): Loss {
    let bytes = 0
    // Before the names: what vanishes with its name is lost as well.
    for (const inode of this.#inodes.values()) {
      if (inode.kind === 'file' && inode.links > 0) bytes += inode.content.unsyncedBytes
      if (inode.kind === 'file') inode.content.forget()
    }
    const changes = this.#uncommitted.length
    for (const undo of this.#uncommitted.splice(0).toReversed()) undo()
    this.#sweep()
    return { bytes, changes }
  }

  opened(inode: Inode): void {
    inode.handles += 1
  }

  released(inode: Inode): void {
    inode.handles -= 1
    if (inode.handles > 0) return
    if (inode.kind === 'file') inode.content.close()
    this.#sweep()
  }

  /** The kernel no longer knows it from so many looks. */
  forgotten(id: number, lookups: number): void {
    const inode = this.#inodes.get(id)
    if (inode === undefined) return
    inode.lookups -= lookups
    if (this.#nameless.has(inode)) this.#sweep()
  }

  /** Files that are open, for whoever has to tell the kernel of them. */
  openFiles(): readonly FileInode[] {
    return [...this.#inodes.values()].flatMap((inode) =>
      inode.kind === 'file' && inode.handles > 0 ? [inode] : [],
    )
  }

  #make(of: Omit<NewInode, 'id'>): Inode {
    const id = this.#nextId++
    const inode = newInode({ ...of, id }, () => new FileContent(join(this.#directory, String(id))))
    this.#inodes.set(id, inode)
    return inode
  }

  /** Lets the name lead to the inode, or nowhere, and notes how it was before. */
  #enter(parent: DirectoryInode, name: string, inode: Inode | null): void {
    const before = parent.entries.get(name) ?? null
    this.#set(parent, name, inode)
    this.#uncommitted.push(() => this.#set(parent, name, before))
    parent.mtime = parent.ctime = nowNs()
  }

  #set(parent: DirectoryInode, name: string, inode: Inode | null): void {
    const before = parent.entries.get(name)
    if (inode === null) parent.entries.delete(name)
    else {
      parent.entries.set(name, inode)
      inode.links += 1
      inode.place = { parent, name }
    }
    if (before === undefined) return
    before.links -= 1
    before.ctime = nowNs()
    if (before.links === 0) this.#nameless.add(before)
  }

  #sweep(): void {
    if (this.#uncommitted.length > 0) return
    for (const inode of this.#nameless) {
      if (inode.links > 0) this.#nameless.delete(inode)
      else if (inode.handles === 0 && inode.lookups <= 0) {
        if (inode.kind === 'file') inode.content.remove()
        this.#nameless.delete(inode)
        this.#inodes.delete(inode.id)
      }
    }
  }
}
