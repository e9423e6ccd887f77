import { mkdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { dockerLeftovers, removeDocker, runningContainers } from './docker.mjs'
import { journals, temporaries } from './files.mjs'
import { livingNamespaces, namedNamespaces, namespaceOf, rulesIn, rulesOfTheHost } from './namespaces.mjs'
import { loopDevicesOf, mountsBelow } from './mounts.mjs'
import { describeProcess, processesWith } from './processes.mjs'

/**
 * Watches what the runs leave behind that have `NEMESIS_STATE_DIR=<state>` and `TMPDIR=<temporary>`, both their own.
 * Their ids are learnt from the journals that come and go; nothing of any other run is counted.
 */
export function watchLeftovers({ state, temporary, docker }) {
  const undo = join(state, 'undo')
  mkdirSync(undo, { recursive: true })
  const runs = new Set()
  const namespaces = new Set()
  const watcher = watch(undo, (_, file) => {
    const run = /^(.+)-\d+\.ndjson$/.exec(file ?? '')?.[1]
    if (run !== undefined) runs.add(run)
  })

  /** Rules in the namespaces of containers that run now or did at an earlier look, and those namespaces once orphaned. */
  const inNamespaces = async () => {
    const running = new Set()
    for (const { pid } of await runningContainers([...runs])) {
      const namespace = await namespaceOf(pid)
      if (namespace === null) continue
      namespaces.add(namespace)
      running.add(namespace)
    }
    if (namespaces.size === 0) return rulesOfTheHost()
    const living = await livingNamespaces()
    const there = [...namespaces].filter((namespace) => living.has(namespace))
    const rules = await Promise.all(there.map((namespace) => rulesIn(living.get(namespace))))
    const orphans = there.filter((namespace) => !running.has(namespace))
    return [...rules.flat(), ...(await rulesOfTheHost()), ...orphans.map((one) => `namespace ${one}`)]
  }

  return {
    /** Everything that is there now, in words. */
    async look() {
      const processes = await processesWith('NEMESIS_STATE_DIR', state)
      const found = [
        processes.map(describeProcess),
        docker ? await dockerLeftovers([...runs]) : [],
        docker ? await inNamespaces() : [],
        await namedNamespaces([...runs]),
        await journals(state),
        await temporaries(temporary),
        await mountsBelow(temporary),
        await loopDevicesOf(temporary),
      ]
      return found.flat()
    },
    /** Ends and removes whatever is still there. */
    async remove() {
      watcher.close()
      for (const { pid } of await processesWith('NEMESIS_STATE_DIR', state)) process.kill(pid, 'SIGKILL')
      if (docker) await removeDocker([...runs])
    },
  }
}
