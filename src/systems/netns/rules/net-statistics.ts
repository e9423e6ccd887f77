import type { VictimReading } from '../../capabilities.js'

/** The kernel's counters that grow when a node's connections suffer, and what they are called in evidence. */
const signals: Readonly<Record<string, string>> = {
  'Tcp.RetransSegs': 'TCP segments sent again',
  'TcpExt.TCPTimeouts': 'TCP timeouts',
  'Tcp.AttemptFails': 'TCP connection attempts failed',
  'Tcp.EstabResets': 'TCP connections reset',
  'TcpExt.TCPAbortOnTimeout': 'TCP connections given up',
}

/** Reads `/proc/net/snmp` and `/proc/net/netstat` (pairs of lines: names, then values) of one node's namespace. */
export function victimReadings(node: string, files: readonly string[]): VictimReading[] {
  const values = new Map<string, number>()
  for (const file of files) {
    const lines = file.split('\n').filter((line) => line !== '')
    for (let i = 0; i + 1 < lines.length; i += 2) {
      const names = (lines[i] as string).split(' ')
      const numbers = (lines[i + 1] as string).split(' ')
      const group = (names[0] as string).slice(0, -1)
      names.forEach((name, k) => values.set(`${group}.${name}`, Number(numbers[k])))
    }
  }
  return Object.entries(signals).flatMap(([key, signal]) => {
    const value = values.get(key)
    return value === undefined ? [] : [{ node, signal, value }]
  })
}
