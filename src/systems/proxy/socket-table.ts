import { readFile, readdir, readlink } from 'node:fs/promises'

/** An established TCP connection as one of its two sockets sees it. */
export interface EstablishedSocket {
  readonly localPort: number
  readonly remotePort: number
  /** Dotted or colon notation, for people. */
  readonly remoteHost: string
  readonly inode: string
}

const established = '01'

/** All established TCP connections of this network namespace (Linux, proc(5)); no privileges are needed. */
export async function establishedSockets(): Promise<readonly EstablishedSocket[]> {
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(readTable))
  return tables.flatMap(parseSocketTable)
}

/** The inodes of the sockets that a process holds. Empty when it is gone or belongs to somebody else. */
export async function socketInodes(pid: number): Promise<readonly string[]> {
  try {
    const directory = `/proc/${pid}/fd`
    const links = await Promise.all(
      (await readdir(directory)).map((fd) => readlink(`${directory}/${fd}`).catch(() => '')),
    )
    return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [])
  } catch {
    // The process has ended since it was listed.
    return []
  }
}

/** Parses `/proc/net/tcp` or `/proc/net/tcp6`. */
export function parseSocketTable(text: string): readonly EstablishedSocket[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', remote = '', state, , , , , , inode = ''] = line.trim().split(/\s+/)
      if (state !== established) return []
      const [remoteHost = '', remotePort = ''] = remote.split(':')
      return [
        {
          localPort: Number.parseInt(local.split(':')[1] ?? '', 16),
          remotePort: Number.parseInt(remotePort, 16),
          remoteHost: hostOf(remoteHost),
          inode,
        },
      ]
    })
}

async function readTable(file: string): Promise<string> {
  try {
    return await readFile(file, 'latin1')
  } catch {
    // A kernel without IPv6 has no such table.
    return ''
  }
}

/** The table prints addresses as 32-bit words in the byte order of the machine. */
function hostOf(hex: string): string {
  const words = hex.toLowerCase().match(/.{8}/g) ?? []
  const bytes = words.flatMap((word) => word.match(/../g)?.toReversed() ?? [])
  const mapped = bytes.slice(0, -4).join('') === '00000000000000000000ffff'
  if (bytes.length === 4 || mapped) {
    return bytes
      .slice(-4)
      .map((byte) => Number.parseInt(byte, 16))
      .join('.')
  }
  const groups = bytes.join('').match(/.{4}/g) ?? []
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}
