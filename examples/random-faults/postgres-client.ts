import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

export const port = 5432

export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** One session of the server. Each call is one statement in a transaction of its own, sent once. */
export class PostgresClient {
  readonly #client: Client

  private constructor(client: Client) {
    this.#client = client
  }

  static async connect({ host, port }: Endpoint, database = 'postgres'): Promise<PostgresClient> {
    const client = new Client({
      ...{ host, port, database, user: 'postgres' },
      ...{ connectionTimeoutMillis: 2_000, query_timeout: 5_000 },
    })
    // Each call reports the loss of its session by itself.
    client.on('error', () => {})
    try {
      await client.connect()
    } catch (error) {
      throw new NotSentError(error instanceof Error ? error.message : String(error), { cause: error })
    }
    return new PostgresClient(client)
  }

  /** Rows have eight kilobytes of ballast that nothing can compress, so that each write needs space on the disk. */
  async setUp(): Promise<void> {
    await this.run(
      `CREATE TABLE IF NOT EXISTS registers (key text PRIMARY KEY, value bigint NOT NULL, ballast bytea)`,
    )
    await this.run('ALTER TABLE registers ALTER ballast SET STORAGE EXTERNAL')
  }

  async put(key: string, value: number): Promise<void> {
    const text =
      'INSERT INTO registers VALUES ($1, $2, $3) ' +
      'ON CONFLICT (key) DO UPDATE SET value = excluded.value, ballast = excluded.ballast'
    await this.#client.query(text, [key, value, randomBytes(8_192)])
  }

  async get(key: string): Promise<number | null> {
    const { rows } = await this.#client.query('SELECT value FROM registers WHERE key = $1', [key])
    const [row] = rows as { value: string }[]
    return row === undefined ? null : Number(row.value)
  }

  /** Milliseconds since the epoch by the server's own clock. */
  async time(): Promise<number> {
    return this.number('SELECT extract(epoch FROM clock_timestamp()) * 1000')
  }

  /** The one number that a statement answers. */
  async number(text: string): Promise<number> {
    const { rows } = await this.#client.query({ text, rowMode: 'array' })
    return Number((rows as unknown[][])[0]?.[0])
  }

  async run(text: string): Promise<void> {
    await this.#client.query(text)
  }

  /** Does not wait for the server, which may be gone or cut off. */
  close(): void {
    void this.#client.end().catch(() => undefined)
  }
}

export async function withClient<Result>(
  endpoint: Endpoint,
  use: (client: PostgresClient) => Promise<Result>,
  database?: string,
): Promise<Result> {
  const client = await PostgresClient.connect(endpoint, database)
  try {
    return await use(client)
  } finally {
    client.close()
  }
}

class NotSentError extends Error {
  override readonly name = 'NotSentError'
}

/**
 * True when a rejected statement cannot have taken effect: there was no session, or the server says that it rolled it
 * back. A session that the server ends (class 57, `terminating connection`) proves nothing: its commit may be on the disk.
 */
export function certainlyFailed(error: unknown): boolean {
  if (error instanceof NotSentError) return true
  // 53100: disk full; 40001, 40P01: serialization failure and deadlock.
  return error instanceof Error && 'code' in error && ['53100', '40001', '40P01'].includes(String(error.code))
}
