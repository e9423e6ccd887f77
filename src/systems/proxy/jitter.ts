import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/**
 * Draws delays of `delayMs` give or take `jitterMs`, evenly and never below zero. The same name and seed give the same
 * sequence, so that a re-run meets the same delays.
 */
export function jitteredDelay(
  name: string,
  { delayMs, jitterMs, seed }: { readonly delayMs: number; readonly jitterMs: number; readonly seed: number },
): () => number {
  if (jitterMs === 0) return () => delayMs
  const generator = xoroshiro128plus(fnv1a(`${name} ${seed}`))
  return () => Math.max(0, delayMs + (uniformFloat64(generator) * 2 - 1) * jitterMs)
}

/** FNV-1a, 32 bits (Fowler, Noll, Vo). */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash | 0
}
