import { mkdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { processesWithChangedClock } from './clocks.mjs'
import { dockerLeftovers, removeDocker, sandboxes } from './docker.mjs'
import { journals, temporaries } from './files.mjs'
import { loopDevicesOf, mountsBelow, unmountAll } from './mounts.mjs'
import {
  links,
  namedNamespaces,
  namespaceAt,
  removeNamespaces,
  rulesIn,
  rulesOfTheHost,
} from './namespaces.mjs'
import { describeProcess, processesIn, processesWith } from './processes.mjs'

/**
 * Watches what the runs leave behind that have `NEMESIS_STATE_DIR=<state>` and `TMPDIR=<temporary>`, both their own.
 * Their ids are learnt from the journals that come and go; nothing of any other run is counted.
 */
export function watchLeftovers({ state, temporary, docker }) {
  const undo = join(state, 'undo')
  mkdirSync(undo, { recursive: true })
  const runs = new Set()
  const known = new Set()
  const ownLinks = new Set()
  let began = () => {}
  const atWork = new Promise((resolve) => (began = resolve))
  const watcher = watch(undo, (_, file) => {
    const run = /^(.+)-\d+\.ndjson$/.exec(file ?? '')?.[1]
    if (run === undefined) return
    runs.add(run)
    began()
  })

  const ownProcesses = async () => {
    const found = [...(await processesWith('NEMESIS_STATE_DIR', state)), ...(await processesIn(temporary))]
    return [...new Map(found.map((one) => [one.pid, one])).values()]
  }

  /** Processes of the runs, and which of them tell another time. */
  const processes = async () => {
    const found = await ownProcesses()
    const changed = found.length === 0 ? [] : processesWithChangedClock()
    return [
      ...found.map(describeProcess),
      ...found.filter(({ pid }) => changed.includes(pid)).map(({ pid }) => `clock of process ${pid}`),
    ]
  }

  /** Namespaces that the runs have named, and the links into them, by that name or known from an earlier look. */
  const named = async () => {
    const names = await namedNamespaces([...runs])
    const all = await links()
    for (const { link, into } of all) if (names.includes(into)) ownLinks.add(link)
    return [
      ...names.map((name) => `namespace ${name}`),
      ...all.filter(({ link }) => ownLinks.has(link)).map(({ link }) => `link ${link}`),
    ]
  }

  /**
   * Rules in the namespaces of containers that run now or did at an earlier look, and of what was started from the runs;
   * and those namespaces that outlive their containers. A number does not say whose a namespace is: it is given again.
   */
  const inNamespaces = async () => {
    const running = await sandboxes([...runs])
    for (const path of running) known.add(path)
    const ours = (await ownProcesses()).map(({ pid }) => `/proc/${pid}/ns/net`)
    const host = await namespaceAt('/proc/self/ns/net')
    const paths = new Map()
    for (const path of [...known, ...ours]) paths.set(await namespaceAt(path), path)
    paths.delete(null)
    paths.delete(host)
    const rules = await Promise.all([...paths.values()].map(rulesIn))
    const orphans = [...paths.values()].filter((path) => !running.includes(path))
    return [...rules.flat(), ...orphans.map((path) => `namespace ${path}`)]
  }

  return {
    /** Resolves when a run has opened its journal: from then on it may leave something behind. */
    atWork,
    /** Everything that is there now, in words. */
    async look() {
      const found = await Promise.all([
        processes(),
        docker ? dockerLeftovers([...runs]) : [],
        docker ? inNamespaces() : [],
        rulesOfTheHost(),
        named(),
        journals(state),
        temporaries(temporary),
        mountsBelow(temporary),
        loopDevicesOf(temporary),
      ])
      return found.flat()
    },
    /** Ends and removes whatever is still there. */
    async remove() {
      watcher.close()
      for (const { pid } of await ownProcesses()) end(pid)
      if (docker) await removeDocker([...runs])
      await removeNamespaces(await namedNamespaces([...runs]))
      await unmountAll(temporary)
    },
  }
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It has ended since the look.
    if (error.code !== 'ESRCH') throw error
  }
}
