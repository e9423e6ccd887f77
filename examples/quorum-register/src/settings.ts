import type { Endpoint } from './connection.js'

export interface Settings {
  readonly node: string
  readonly port: number
  readonly dataDir: string
  readonly peers: ReadonlyMap<string, Endpoint>
  /** `quorum`: reads ask a majority. `local`: each node answers from its own copy, which is wrong on purpose. */
  readonly read: 'quorum' | 'local'
  /** False: a version counts as stored before it is on disk, which is wrong on purpose. */
  readonly sync: boolean
  /** The only node that coordinates; the others forward to it. Null: every node does. */
  readonly coordinator: string | null
}

/** Reads NODE, PORT, DATA_DIR, PEERS (`n2=127.0.0.1:7002,n3=…`), READ, SYNC and COORDINATOR. Throws naming what is wrong. */
export function settingsFrom(env: NodeJS.ProcessEnv): Settings {
  const read = env['READ'] ?? 'quorum'
  if (read !== 'quorum' && read !== 'local') throw new Error(`READ is '${read}': expected quorum or local`)
  const sync = env['SYNC'] ?? 'always'
  if (sync !== 'always' && sync !== 'never') throw new Error(`SYNC is '${sync}': expected always or never`)
  const node = required(env, 'NODE')
  const peers = new Map(required(env, 'PEERS').split(',').map(parsePeer))
  const coordinator = env['COORDINATOR'] ?? null
  if (coordinator !== null && coordinator !== node && !peers.has(coordinator)) {
    throw new Error(`COORDINATOR is '${coordinator}': expected one of ${[node, ...peers.keys()].join(', ')}`)
  }
  return {
    node,
    port: Number(required(env, 'PORT')),
    dataDir: required(env, 'DATA_DIR'),
    peers,
    read,
    sync: sync === 'always',
    coordinator,
  }
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set`)
  return value
}

function parsePeer(text: string): [string, Endpoint] {
  const match = /^([^=]+)=(.+):(\d+)$/.exec(text)
  if (match === null) throw new Error(`PEERS holds '${text}': expected name=host:port`)
  return [match[1]!, { host: match[2]!, port: Number(match[3]) }]
}
