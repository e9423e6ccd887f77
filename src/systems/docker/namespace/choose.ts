import { EnvironmentError } from '../../../errors.js'
import type { Engine } from '../engine.js'
import type { NamespaceExec } from '../../netns/exec.js'
import { enterByHelper } from './helper.js'
import { canEnterDirectly, enterDirectly } from './direct.js'

/**
 * The way into the network namespaces of a run's containers: `nsenter` where it works on `container`, else helper
 * containers. Throws EnvironmentError when `nsenter` was asked for and does not work.
 */
export async function chooseEntry(
  options: { engine: Engine; run: string; enter: 'auto' | 'nsenter' | 'helper'; helperImage: string | null },
  container: string,
): Promise<NamespaceExec> {
  if (options.enter !== 'helper' && (await canEnterDirectly(options.engine, container)))
    return enterDirectly(options)
  if (options.enter === 'nsenter') {
    throw new EnvironmentError(
      'nsenter',
      "docker({ enter: 'nsenter' }): this process cannot enter a container's network with nsenter and nft",
      "run as root on the engine's machine with nftables installed, or leave enter out for a helper container",
    )
  }
  return enterByHelper(options)
}
