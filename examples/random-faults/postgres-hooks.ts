import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { NodeHook } from 'vitest-nemesis'
import { port, withClient, type Endpoint } from './postgres-client.js'
import { programs } from './postgres-programs.js'

/** The file that a server reads first when it starts, and refuses when its checksum is wrong. */
export const databaseFile = 'data/global/pg_control'

const run = promisify(execFile)
const copy = 'restored'

/** Where the server is reached by its clients: the one that was opened last knows. */
let server: Endpoint | null = null

export function isAt(endpoint: Endpoint): void {
  server = endpoint
}

function there(): Endpoint {
  if (server === null) throw new Error('no client has been connected yet')
  return server
}

/** A dump of the table while it is written to. */
export async function dumpTable(): Promise<string> {
  const { stdout } = await program('pg_dump', ['--table', 'registers', '--no-owner'])
  return stdout
}

/** Loads the dump into a database of its own, beside the one that is served. */
export async function loadDump({ backup }: { readonly backup: unknown }): Promise<void> {
  await withClient(there(), (client) => client.run(`CREATE DATABASE ${copy}`))
  const loading = program('psql', ['--quiet', '--set', 'ON_ERROR_STOP=1', '--dbname', copy])
  loading.child.stdin?.end(String(backup))
  await loading
}

/** How many rows the copy has; -1 while there is none. */
export async function copiedRows(): Promise<number> {
  const found = `SELECT count(*) FROM pg_database WHERE datname = '${copy}'`
  if ((await withClient(there(), (client) => client.number(found))) === 0) return -1
  return withClient(there(), (client) => client.number('SELECT count(*) FROM registers'), copy)
}

export async function dropCopy(): Promise<void> {
  await withClient(there(), (client) => client.run(`DROP DATABASE IF EXISTS ${copy} WITH (FORCE)`))
}

function program(name: string, args: readonly string[]) {
  const { host, port } = there()
  const where = ['--host', host, '--port', String(port), '--username', 'postgres']
  return run(join(programs() ?? '', name), [...where, ...args], { timeout: 20_000 })
}

/** Writes the table anew without what nobody can see any more: the compaction of PostgreSQL. */
export const vacuum: NodeHook = ({ node }) =>
  withClient(node.address(port), (client) => client.run('VACUUM FULL registers'))

/** The number of the file that the table is in. */
export const vacuumed: NodeHook<number> = ({ node }) =>
  withClient(node.address(port), (client) => client.number(`SELECT pg_relation_filenode('registers')`))
