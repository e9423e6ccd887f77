import { statusOf, type Engine } from '../engine.js'
import type { Namespaces } from '../../netns/namespaces.js'

/** The namespaces of containers: each lives only as long as its container runs. */
export function namespacesOfContainers(engine: Engine, host: string | null): Namespaces {
  return {
    async isThere(id) {
      try {
        const { State: state } = await engine.getContainer(id).inspect()
        return state.Running
      } catch (error) {
        if (statusOf(error) === 404) return false
        throw error
      }
    },
    // The fixed address, which it has again after a restart, and those that the engine has given it on all its networks.
    async addressesOf({ id, ip }) {
      const { NetworkSettings: settings } = await engine.getContainer(id).inspect()
      const given = Object.values(settings.Networks).flatMap(({ IPAddress, GlobalIPv6Address }) => [
        IPAddress,
        GlobalIPv6Address,
      ])
      const addresses = [ip, ...given.filter((address) => typeof address === 'string')]
      return [...new Set(addresses.filter((address) => address !== ''))]
    },
    undoOf(container, leftover) {
      switch (leftover.kind) {
        case 'nft-table':
          return { kind: 'docker-nft-table', container, table: leftover.table, host }
        case 'iptables-chains':
          return { kind: 'docker-iptables-chains', container, chain: leftover.chain, host }
        case 'shaping':
          return { kind: 'docker-shaping', container, host }
      }
    },
  }
}
