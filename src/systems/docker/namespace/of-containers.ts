import { statusOf, type Engine } from '../engine.js'
import type { Namespaces } from './namespaces.js'

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
    tableUndo: (container, table) => ({ kind: 'docker-nft-table', container, table, host }),
  }
}
