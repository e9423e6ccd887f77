import { clocks } from './clocks.js'
import { dockerEngine } from './docker-engine.js'
import { networkTools } from './network-tools.js'
import { dockerode, node, vitest } from './node.js'
import { platform, proc, root } from './platform.js'
import type { Capability, Probe, ProbeContext } from './probe.js'
import { providerTools } from './provider-tools.js'
import { servers } from './servers.js'
import { fuseDisk, loopDisk, mounting, tracing } from './storage-tools.js'

const probes: readonly Probe[] = [
  platform,
  node,
  vitest,
  proc,
  root,
  dockerEngine,
  dockerode,
  ...networkTools,
  ...providerTools,
  clocks,
  tracing,
  mounting,
  fuseDisk,
  loopDisk,
  ...servers,
]

/** What this machine offers, in a fixed order. Looks only; takes a few seconds at most. */
export function probeCapabilities(context: ProbeContext): Promise<Capability[]> {
  return Promise.all(probes.map((probe) => probe(context)))
}
