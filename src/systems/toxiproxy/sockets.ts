import { execa } from 'execa'
import { toolWithinMs } from '../tool-limit.js'

/** What the kernel has counted of one end of a TCP connection on this machine. */
export interface MeasuredSocket {
  /** `host:port`, IPv4 also where the socket takes both kinds. */
  readonly local: string
  readonly remote: string
  /** The processes that have it open, as far as this one may know. */
  readonly pids: readonly number[]
  /** Segments with data. */
  readonly sent: number
  readonly received: number
  readonly sentBytes: number
  readonly receivedBytes: number
  /** Since data was last sent, and last received. */
  readonly sentAgoMs: number
  readonly receivedAgoMs: number
}

/** Reads the output of `ss -tinpHO`. */
export function measuredSockets(printed: string): MeasuredSocket[] {
  return printed.split('\n').flatMap((line) => {
    const match = /^[A-Z][\w-]*\s+\d+\s+\d+\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line)
    if (match === null) return []
    const [, local = '', remote = '', counts = ''] = match
    const count = (name: string) => Number(new RegExp(`\\b${name}:(\\d+)`).exec(counts)?.[1] ?? 0)
    return {
      local: plain(local),
      remote: plain(remote),
      pids: [...counts.matchAll(/\bpid=(\d+)/g)].map(([, pid]) => Number(pid)),
      sent: count('data_segs_out'),
      received: count('data_segs_in'),
      sentBytes: count('bytes_sent') || count('bytes_acked'),
      receivedBytes: count('bytes_received'),
      sentAgoMs: count('lastsnd'),
      receivedAgoMs: count('lastrcv'),
    }
  })
}

/** The open TCP connections of this machine's network, or of the namespace that this process is in. */
export async function readSockets(): Promise<MeasuredSocket[]> {
  const { stdout } = await execa('ss', ['-tinpHO'], { timeout: toolWithinMs })
  return measuredSockets(stdout)
}

/** `[::ffff:127.0.0.1]:80` and `127.0.0.1%lo:80` as `127.0.0.1:80`. */
function plain(address: string): string {
  return address.replace(/%[^:\]]+/, '').replace(/^\[(?:::ffff:)?([\d.]+)\]/, '$1')
}
