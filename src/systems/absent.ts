import { EnvironmentError } from '../errors.js'
import type { CapabilityName } from './capabilities.js'

/**
 * Stands for a capability that the system does not offer: whoever uses more of it than `known` gets an EnvironmentError
 * that says what is missing.
 */
export function absent<Capability extends object>(
  name: CapabilityName,
  kind: string,
  known: Partial<Capability> = {},
): Capability {
  return new Proxy(known as Capability, {
    get(target, member) {
      if (member in target) return Reflect.get(target, member)
      throw new EnvironmentError(name, `${kind} offers no ${name} here`, howToGet(name))
    },
  })
}

const ways: Readonly<Record<CapabilityName, string>> = {
  lifecycle: 'use another kind of system',
  network:
    'leave the fault proxy on, or give the nodes networks of their own: containers, or network namespaces',
  storage: 'run the system as processes on Linux, or in containers as root on the machine of the engine',
  clock: 'run the system in containers or as processes on Linux on x86-64',
  exec: 'run the system in containers or as processes',
}

/** How a system comes to offer a capability. */
export function howToGet(capability: CapabilityName): string {
  return ways[capability]
}
