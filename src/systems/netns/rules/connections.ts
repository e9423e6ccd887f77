/** One established TCP connection of a namespace. */
export interface Connection {
  readonly local: string
  readonly remote: string
  readonly localPort: number
  readonly remotePort: number
}

const established = '01'

/** Reads the established connections in `/proc/net/tcp` or `/proc/net/tcp6` of a little-endian machine. */
export function establishedConnections(file: string): Connection[] {
  return file
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[3] === established)
    .map((columns) => {
      const [local, localPort] = (columns[1] as string).split(':') as [string, string]
      const [remote, remotePort] = (columns[2] as string).split(':') as [string, string]
      return {
        local: addressOf(local),
        remote: addressOf(remote),
        localPort: Number.parseInt(localPort, 16),
        remotePort: Number.parseInt(remotePort, 16),
      }
    })
}

/** The kernel prints addresses as 32-bit words in the machine's byte order. */
function addressOf(hex: string): string {
  const words = hex.match(/.{8}/g) ?? []
  const bytes = words.flatMap((word) => (word.match(/../g) ?? []).reverse())
  if (words.length === 1) return dotted(bytes)
  const groups = Array.from({ length: 8 }, (_, i) => bytes.slice(2 * i, 2 * i + 2).join(''))
  // An IPv4 connection of a socket that takes both kinds.
  if (groups.slice(0, 5).every((group) => group === '0000') && groups[5] === 'FFFF')
    return dotted(bytes.slice(12))
  return canonicalIpv6(groups.join(':'))
}

function dotted(bytes: readonly string[]): string {
  return bytes.map((byte) => Number.parseInt(byte, 16)).join('.')
}

/** The one usual way to write an IPv6 address (RFC 5952). */
export function canonicalIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

/** The addresses that a namespace itself answers for, from its `fib_trie` and `if_inet6`; without loopback. */
export function ownAddresses(fibTrie: string, ifInet6: string): string[] {
  const ipv4 = [...fibTrie.matchAll(/\|-- (\d+\.\d+\.\d+\.\d+)\n\s+\/32 host LOCAL/g)].map(
    (match) => match[1] as string,
  )
  const ipv6 = ifInet6
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns.length >= 6 && columns[5] !== 'lo')
    .map((columns) => canonicalIpv6((columns[0] as string).replace(/(.{4})(?=.)/g, '$1:')))
  return [...new Set([...ipv4.filter((address) => !address.startsWith('127.')), ...ipv6])]
}
