import type { BlockOptions } from '../../capabilities.js'

/** The far end of a link, as addresses. */
export interface FarEnd {
  /** `in`: packets from the far end, judged as they come in. `out`: packets to it, judged as they leave. */
  readonly direction: 'in' | 'out'
  readonly addresses: readonly string[]
  /** True when the far end is everything but the addresses, and not this node itself. */
  readonly others: boolean
}

/** What happens to packets on a link: `watch` only counts them, `lose` drops a share of them at random. */
export type NftEffect =
  | ({ readonly kind: 'drop' | 'reject' } & BlockOptions)
  | { readonly kind: 'lose'; readonly share: number }
  | { readonly kind: 'watch' }

/** Shares are drawn as whole numbers out of this many. */
const outOf = 1_000_000

/**
 * The nft table that holds a rule on links at one node, in the language of `nft -f`.
 *
 * Counter `met_<i>` counts what was dropped or rejected on the i-th link, `passed_<i>` what came through all the same,
 * `seen_<i>` everything of which a share is lost. The cut stands before any rule that accepts established connections
 * (priority -150) and after the connections were looked up (-200), the count of what passed after all filters. A reset
 * is let through under `reject`: it may be the answer to the far end's own rejected packet.
 */
export function nftScript(table: string, effect: NftEffect, ends: readonly FarEnd[]): string {
  const counters = ends.flatMap((_, i) => ['met', 'passed', 'seen'].map((name) => `counter ${name}_${i} { }`))
  const only = selection(effect)
  const chains = (['in', 'out'] as const).flatMap((direction) => {
    const hook = direction === 'in' ? 'input' : 'output'
    const matches = ends.flatMap((end, i) =>
      end.direction === direction ? matchesOf(end).map((m) => [`${m}${only}`, i] as const) : [],
    )
    if (matches.length === 0) return []
    return [
      `chain cut_${direction} {`,
      `type filter hook ${hook} priority -150; policy accept;`,
      ...matches.flatMap(([match, i]) => verdicts(match, effect, i)),
      '}',
      `chain pass_${direction} {`,
      `type filter hook ${hook} priority 200; policy accept;`,
      ...matches.map(
        ([match, i]) =>
          `${match} ${effect.kind === 'reject' ? 'tcp flags & rst == 0 ' : ''}counter name passed_${i}`,
      ),
      '}',
    ]
  })
  return [`table inet ${table} {`, ...counters, ...chains, '}', ''].join('\n')
}

function matchesOf({ direction, addresses, others }: FarEnd): string[] {
  const field = direction === 'in' ? 'saddr' : 'daddr'
  const device = others ? `${direction === 'in' ? 'iifname' : 'oifname'} != "lo" ` : ''
  const families = [
    ['ip', addresses.filter((address) => !address.includes(':'))],
    ['ip6', addresses.filter((address) => address.includes(':'))],
  ] as const
  return families
    .filter(([, list]) => list.length > 0)
    .map(([family, list]) => `${device}${family} ${field} ${others ? '!= ' : ''}{ ${list.join(', ')} }`)
}

/** Which packets of a link a cut is about, by what the kernel knows of their connections. */
function selection(effect: NftEffect): string {
  if (effect.kind !== 'drop' && effect.kind !== 'reject') return ''
  const opened = effect.level === 'connections' ? ' ct direction original' : ''
  return `${opened}${effect.established === 'left' ? ' ct state & (established | related) == 0' : ''}`
}

function verdicts(match: string, effect: NftEffect, i: number): string[] {
  switch (effect.kind) {
    case 'watch':
      return []
    case 'drop':
      return [`${match} counter name met_${i} drop`]
    case 'lose': {
      const drawn = `numgen random mod ${outOf} < ${Math.round(effect.share * outOf)}`
      return [`${match} counter name seen_${i}`, `${match} ${drawn} counter name met_${i} drop`]
    }
    case 'reject':
      return [
        `${match} tcp flags & rst == rst accept`,
        `${match} meta l4proto tcp counter name met_${i} reject with tcp reset`,
        `${match} counter name met_${i} reject with icmpx type port-unreachable`,
      ]
  }
}
