import { setTimeout as sleep } from 'node:timers/promises'

export interface Document {
  readonly tenant: string
  readonly id: string
  readonly text: unknown
}

export type AuditEntry =
  | { readonly refused: { readonly caller: string; readonly tenant: string; readonly id: string | null } }
  | { readonly exported: { readonly tenant: string; readonly documents: number } }

const pollEveryMs = 5

/** The service answered, and not with what was asked for. */
export class StatusError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(`${status} ${message}`)
    this.status = status
  }
}

/** A client of the service. Each call but `export` is one request; nothing is retried, but by `putAgain`. */
export class Documents {
  readonly #base: string

  constructor(address: string) {
    this.#base = `http://${address}`
  }

  /** Stores a document of a tenant, as that tenant. */
  async put({ tenant, id, text }: Document, signal: AbortSignal): Promise<void> {
    const path = `tenants/${encodeURIComponent(tenant)}/documents/${encodeURIComponent(id)}`
    await this.#request(tenant, path, { method: 'PUT', body: JSON.stringify(text), signal })
  }

  /** Stores a document as `put`, and sends it a second time when there is no answer within `patienceMs`. */
  async putAgain(document: Document, patienceMs: number, signal: AbortSignal): Promise<void> {
    const patience = AbortSignal.timeout(patienceMs)
    try {
      await this.put(document, AbortSignal.any([signal, patience]))
    } catch (error) {
      if (!patience.aborted) throw error
      await this.put(document, signal)
    }
  }

  /** A document of `tenant`, asked for by `caller`. Rejects with StatusError 403 unless they are the same. */
  async get(
    { caller, tenant, id }: { caller: string; tenant: string; id: string },
    signal: AbortSignal,
  ): Promise<Document> {
    const path = `tenants/${encodeURIComponent(tenant)}/documents/${encodeURIComponent(id)}`
    return (await this.#request(caller, path, { signal })).body as Document
  }

  async list(tenant: string, signal: AbortSignal): Promise<readonly Document[]> {
    const path = `tenants/${encodeURIComponent(tenant)}/documents`
    return (await this.#request(tenant, path, { signal })).body as Document[]
  }

  /** Starts an export and waits for it. */
  async export(tenant: string, signal: AbortSignal): Promise<readonly Document[]> {
    const path = `tenants/${encodeURIComponent(tenant)}/exports`
    const job = (await this.#request(tenant, path, { method: 'POST', signal })).body as number
    for (;;) {
      await sleep(pollEveryMs, undefined, { signal })
      const { status, body } = await this.#request(tenant, `exports/${job}`, { signal })
      if (status === 200) return body as Document[]
    }
  }

  async audit(signal: AbortSignal): Promise<readonly AuditEntry[]> {
    return (await this.#request('', 'audit', { signal })).body as AuditEntry[]
  }

  async #request(
    caller: string,
    path: string,
    init: RequestInit,
  ): Promise<{ status: number; body: unknown }> {
    const headers = { caller: encodeURIComponent(caller) }
    const response = await fetch(`${this.#base}/${path}`, { ...init, headers })
    const body: unknown = await response.json()
    if (!response.ok) throw new StatusError(response.status, String(body))
    return { status: response.status, body }
  }
}
