import type { DisturbanceKind, Missing } from '../capabilities.js'

/** What a mechanism says of a disturbance that it can never make: which disk under the node can. */
export function diskFor(kind: DisturbanceKind): Missing {
  const also = kind === 'power-loss' ? " or disk: 'loop'" : ''
  return { what: `a disk that can make '${kind}'`, hint: `run the nodes with disk: 'fuse'${also}` }
}
