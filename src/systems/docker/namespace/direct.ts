import { readFile, readlink } from 'node:fs/promises'
import { execa } from 'execa'
import { FaultError } from '../../../errors.js'
import type { NamespaceExec } from '../../netns/exec.js'
import { nsenter } from '../../netns/nsenter.js'
import { toolWithinMs } from '../../tool-limit.js'
import type { Engine } from '../engine.js'

/** Enters with `nsenter`: for root on the kernel that runs the containers. Programs are this machine's own. */
export function enterDirectly({ engine, run }: { engine: Engine; run: string }): NamespaceExec {
  const pidOf = async (container: string): Promise<number> => {
    const { State: state } = await engine.getContainer(container).inspect()
    if (state.Pid > 0) return state.Pid
    throw new FaultError(
      'namespace-gone',
      `container ${container.slice(0, 12)} does not run, so it has no network`,
    )
  }
  return {
    ...nsenter({ run, target: async (container) => ['-t', String(await pidOf(container)), '-n'] }),
    readNet: async (container, file) => readFile(`/proc/${await pidOf(container)}/net/${file}`, 'utf8'),
  }
}

/**
 * True when the pid that the engine gives for a container is that container here: another network namespace than ours,
 * which holds the container's address, and which may be entered.
 */
export async function canEnterDirectly(engine: Engine, container: string): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const { State: state, NetworkSettings: settings } = await engine.getContainer(container).inspect()
  const addresses = Object.values(settings.Networks).map((network) => network.IPAddress)
  try {
    const [theirs, ours] = await Promise.all([
      readlink(`/proc/${state.Pid}/ns/net`),
      readlink('/proc/self/ns/net'),
    ])
    const routes = await readFile(`/proc/${state.Pid}/net/fib_trie`, 'utf8')
    if (theirs === ours || !addresses.some((address) => address !== '' && routes.includes(`${address}\n`)))
      return false
  } catch {
    // No such process here: the engine runs on another kernel.
    return false
  }
  const { failed } = await execa('nsenter', ['-t', String(state.Pid), '-n', 'nft', 'list', 'tables'], {
    timeout: toolWithinMs,
    reject: false,
  })
  return !failed
}
