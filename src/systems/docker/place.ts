import type Dockerode from 'dockerode'
import { SystemError } from '../../errors.js'
import { address } from '../address.js'
import type { Address } from '../system.js'
import type { ReachSettings } from './adopt-options.js'
import { publishedHost } from './engine.js'
import { isOurs } from './run-network.js'

/** How the ports of a container are reached from here. */
export interface Reach {
  /** The container's address on its first network; empty when it has none. */
  readonly ip: string
  /** True when ports are reached where they are published, with a forwarder in between. */
  readonly published: boolean
  /** Throws SystemError when the port cannot be reached. */
  addressOf(port: number): Address
}

/** Finds out how a container that runs is reached. A restart may change it. */
export async function reachOf(
  name: string,
  { NetworkSettings: settings, HostConfig: config }: Dockerode.ContainerInspectInfo,
  { reach, host }: ReachSettings,
): Promise<Reach> {
  if (config.NetworkMode === 'host') {
    return { ip: '', published: false, addressOf: (port) => address(publishedHost(host), port) }
  }
  const networks = Object.values(settings.Networks).filter(({ IPAddress }) => IPAddress !== '')
  const direct = networks.map(({ Gateway, IPAddress }) => ({ gateway: Gateway, ip: IPAddress }))
  const near = await Promise.all(direct.map(({ gateway }) => isOurs(gateway)))
  const { ip } = direct[near.indexOf(true)] ?? direct[0] ?? { ip: '' }
  const published = reach === 'published' || (reach === 'auto' && !near.includes(true))
  return {
    ip,
    published,
    addressOf(port) {
      if (!published && ip !== '') return address(ip, port)
      const hostPort = settings.Ports[`${port}/tcp`]?.[0]?.HostPort
      if (published && hostPort !== undefined) return address(publishedHost(host), Number(hostPort))
      throw new SystemError('unreachable-port', `${name}: port ${port} cannot be reached from here`, {
        hint: published
          ? `publish it when the container is started (docker run -p ${port}, withExposedPorts(${port}))`
          : 'put the container on a network, or publish its ports',
      })
    },
  }
}
