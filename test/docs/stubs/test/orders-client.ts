import type { SystemNode } from 'vitest-nemesis'

/** Stands for the client of the reader's own system, of which the README shows only the use. */
export interface OrdersClient {
  put(key: string, value: unknown, options: { signal: AbortSignal }): Promise<void>
  get(key: string, options?: { signal: AbortSignal }): Promise<unknown>
}

export declare const OrdersClient: {
  connect(address: { readonly host: string; readonly port: number }): Promise<OrdersClient>
}

export declare function leaderOf(nodes: readonly SystemNode[]): Promise<string | null>
export declare function replicasAgree(nodes: readonly SystemNode[]): Promise<boolean>
