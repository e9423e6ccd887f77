import type { Stream } from './toxic.js'

/**
 * Bytes that the server has read from one side of a proxy, from what it tells for Prometheus. It counts a connection
 * when that has ended.
 */
export function receivedBytes(metrics: string, { proxy, stream }: { proxy: string; stream: Stream }): number {
  let bytes = 0
  for (const [, labels = '', value] of metrics.matchAll(
    /^toxiproxy_proxy_received_bytes_total\{(.*)\} (\S+)$/gm,
  )) {
    if (labelOf(labels, 'proxy') === proxy && labelOf(labels, 'direction') === stream) bytes += Number(value)
  }
  return bytes
}

function labelOf(labels: string, name: string): string | null {
  const [, text] = new RegExp(`(?:^|,)${name}="((?:[^"\\\\]|\\\\.)*)"`).exec(labels) ?? []
  return text?.replaceAll(/\\(.)/g, '$1') ?? null
}
