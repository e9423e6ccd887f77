import { randomBytes } from 'node:crypto'

/** What Toxiproxy does to the data of a proxy's connections, as its HTTP API takes it. */
export type Toxic =
  /** Drops all data; with 0 for as long as the toxic is there. */
  | { readonly type: 'timeout'; readonly attributes: { readonly timeout: 0 } }
  /** Resets a connection as soon as data comes. */
  | { readonly type: 'reset_peer'; readonly attributes: { readonly timeout: 0 } }
  /** Holds all data, in milliseconds. */
  | { readonly type: 'latency'; readonly attributes: { readonly latency: number; readonly jitter: number } }
  /** Lets so many thousand bytes a second through on each connection. */
  | { readonly type: 'bandwidth'; readonly attributes: { readonly rate: number } }

/** `upstream`: what the caller of a proxy sends; `downstream`: what comes back. */
export type Stream = 'upstream' | 'downstream'

/** A name that nothing but this package gives. */
export function toxicName(stream: Stream): string {
  return `nemesis_${randomBytes(5).toString('hex')}_${stream}`
}

/** True for names that `toxicName` gives. */
export function isToxicName(name: string): boolean {
  return /^nemesis_[0-9a-f]{10}_(?:up|down)stream$/.test(name)
}

/** By what a toxic is found again. */
export interface ToxicPlace {
  readonly proxy: string
  readonly toxic: string
}
