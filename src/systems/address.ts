import type { Address } from './system.js'

/** An address that reads `host:port` as a string; hosts with colons are put in brackets. */
export function address(host: string, port: number): Address {
  const text = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  return { host, port, toString: () => text }
}
