import { z } from 'zod'
import { EnvironmentError, FaultError, messageOf } from '../../errors.js'
import type { Stream, Toxic, ToxicPlace } from './toxic.js'

const timeoutMs = 10_000

const proxySchema = z.looseObject({
  name: z.string(),
  listen: z.string(),
  upstream: z.string(),
  enabled: z.boolean(),
  toxics: z.array(z.looseObject({ name: z.string(), type: z.string(), stream: z.string() })),
})

/** A proxy that the server has. */
export type ProxyState = z.infer<typeof proxySchema>

/**
 * The HTTP API of a Toxiproxy server, as its README documents it: what of it is needed to put toxics on proxies that
 * are there. Throws EnvironmentError when nothing answers, FaultError with the server's own words when it refuses.
 */
export class ToxiproxyClient {
  readonly url: string

  constructor(url: string) {
    this.url = url.replace(/\/+$/, '')
  }

  async version(): Promise<string> {
    const text = await this.#textOf(await this.#ask('GET', '/version'), '/version')
    // Servers before 2.5 answer with the bare version.
    return /"version":\s*"([^"]+)"/.exec(text)?.[1] ?? text.trim()
  }

  async proxies(): Promise<ReadonlyMap<string, ProxyState>> {
    const text = await this.#textOf(await this.#ask('GET', '/proxies'), '/proxies')
    const parsed = z.record(z.string(), proxySchema).safeParse(jsonOf(text))
    if (parsed.success) return new Map(Object.entries(parsed.data))
    throw new FaultError('toxiproxy', `${this.url}/proxies does not answer as Toxiproxy does`, {
      hint: z.prettifyError(parsed.error),
    })
  }

  /** Applies to open connections and to new ones, from the moment the call resolves. */
  async addToxic({ proxy, toxic: name }: ToxicPlace, stream: Stream, toxic: Toxic): Promise<void> {
    const path = `/proxies/${encodeURIComponent(proxy)}/toxics`
    const body = { name, stream, toxicity: 1, ...toxic }
    await this.#textOf(await this.#ask('POST', path, body), path)
  }

  /** False when the toxic, or its proxy, is gone. */
  async removeToxic({ proxy, toxic }: ToxicPlace): Promise<boolean> {
    const path = `/proxies/${encodeURIComponent(proxy)}/toxics/${encodeURIComponent(toxic)}`
    const answer = await this.#ask('DELETE', path)
    if (answer.status === 404) return false
    await this.#textOf(answer, path)
    return true
  }

  /** What the server tells for Prometheus; null where it was started without `-proxy-metrics`. */
  async metrics(): Promise<string | null> {
    const answer = await this.#ask('GET', '/metrics')
    if (answer.status === 404) return null
    return this.#textOf(answer, '/metrics')
  }

  async #ask(method: string, path: string, body?: unknown): Promise<Response> {
    try {
      return await fetch(`${this.url}${path}`, {
        method,
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      })
    } catch (error) {
      throw new EnvironmentError(
        'a Toxiproxy server',
        `${this.url} does not answer: ${reasonOf(error)}`,
        'start it (toxiproxy-server -proxy-metrics), or correct `url` of toxiproxy()',
      )
    }
  }

  async #textOf(answer: Response, path: string): Promise<string> {
    const text = await answer.text()
    if (answer.ok) return text
    throw new FaultError('toxiproxy', `${this.url}${path}: ${answer.status} ${text.trim()}`)
  }
}

/** `fetch` says what went wrong in the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return messageOf(cause ?? error)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the schema says what was expected.
    return null
  }
}
