import { setTimeout as sleep } from 'node:timers/promises'
import { undoClock } from '../../systems/clock/undo.js'
import { dissolveGroup } from '../../systems/cpu/undo.js'
import { removeToxics } from '../../systems/toxiproxy/undo.js'
import { removeNamespaces } from '../../systems/netns/remove.js'
import { endProcess, resumeProcess } from './apply/named-process.js'
import { removeDirectory } from './apply/directory.js'
import { removeFiller } from './apply/filler.js'
import { restoreReplaced } from '../../systems/storage/replaced-file.js'
import { unmount } from '../../systems/storage/mount.js'
import { endRunProcesses } from './apply/run-processes.js'
import type { Undo } from './journal.js'

/**
 * Takes one thing back and says in words what was done. Idempotent: what is gone already counts as undone.
 * Throws a NemesisError when it cannot be taken back.
 */
export async function applyUndo(undo: Undo): Promise<string> {
  switch (undo.kind) {
    case 'processes': {
      const count = await endRunProcesses(undo.run, undo.logs ?? null)
      return `run ${undo.run}: ${count === 0 ? 'no process was left' : `ended ${count} ${count === 1 ? 'process' : 'processes'}`}`
    }
    case 'process':
      return (await endProcess(undo)) ? `ended process ${undo.pid}` : `process ${undo.pid} was gone`
    case 'resume':
      return (await resumeProcess(undo)) ? `continued process ${undo.pid}` : `process ${undo.pid} was gone`
    case 'namespaces': {
      const count = await removeNamespaces(undo.names)
      return count === 0 ? 'no network namespace was left' : `removed ${count} network namespaces`
    }
    case 'cpu-group':
      return (await dissolveGroup(undo))
        ? `removed control group ${undo.directory}`
        : `control group ${undo.directory} was gone`
    case 'docker-cpu': {
      const { restoreCpu } = await import('../../systems/docker/limit-cpu.js')
      await untilNothingIsOnItsWay(() => restoreCpu(undo.container, undo.before, undo.host))
      return `container ${short(undo.container)} has the CPU limit that it had`
    }
    case 'toxiproxy-toxics': {
      const count = await removeToxics(undo.url, undo.toxics)
      return count === 0
        ? `no toxic was left at ${undo.url}`
        : `took ${count} ${count === 1 ? 'toxic' : 'toxics'} away at ${undo.url}`
    }
    case 'directory':
      return (await removeDirectory(undo.path)) ? `removed ${undo.path}` : `${undo.path} was gone`
    case 'mount':
      return (await unmount(undo.path)) ? `unmounted ${undo.path}` : `${undo.path} was not mounted`
    case 'filler':
      return (await removeFiller(undo.path)) ? `removed ${undo.path}` : `${undo.path} was gone`
    case 'replaced-file':
      return (await restoreReplaced(undo))
        ? `wrote ${undo.path} in ${undo.dataDir} back`
        : `${undo.path} in ${undo.dataDir} was back, in use, or gone with its node`
    case 'clock': {
      const count = await undoClock(undo)
      return `${count === 0 ? 'no process' : count === 1 ? '1 process' : `${count} processes`} had a changed clock${count === 0 ? '' : ', set right'}`
    }
    // Docker's client is an optional peer, so it is loaded only where there is something of Docker's to undo.
    case 'docker-run': {
      const { removeDockerRun } = await import('../../systems/docker/remove.js')
      const removed = await removeDockerRun(undo.run, undo.host)
      return `run ${undo.run}: ${removed.length === 0 ? 'no container or network was left' : `removed ${removed.join(', ')}`}`
    }
    case 'docker-unpause': {
      const { unpauseContainer } = await import('../../systems/docker/remove.js')
      await untilNothingIsOnItsWay(() => unpauseContainer(undo.container, undo.host))
      return `container ${short(undo.container)} is not paused`
    }
    case 'docker-start': {
      const { startContainer } = await import('../../systems/docker/keep-up.js')
      await startContainer(undo)
      return `container ${short(undo.container)} runs, or is gone`
    }
    case 'docker-compose': {
      const { removeComposeProject } = await import('../../systems/docker/remove.js')
      const removed = await removeComposeProject(undo.project, undo.host)
      return `project ${undo.project}: ${removed.length === 0 ? 'nothing was left' : `removed ${removed.join(', ')}`}`
    }
    case 'docker-nft-table': {
      const { deleteNftTable } = await import('../../systems/docker/remove.js')
      await deleteNftTable(undo.container, undo.table, undo.host)
      return `container ${short(undo.container)} has no rule ${undo.table}`
    }
    case 'docker-iptables-chains': {
      const { deleteIptablesChains } = await import('../../systems/docker/remove.js')
      await deleteIptablesChains(undo.container, undo.chain, undo.host)
      return `container ${short(undo.container)} has no chain ${undo.chain}`
    }
    case 'docker-shaping': {
      const { deleteShaping } = await import('../../systems/docker/remove.js')
      await deleteShaping(undo.container, undo.host)
      return `traffic of container ${short(undo.container)} is not shaped`
    }
  }
}

/**
 * Undoes what was asked of an engine twice, 500 ms apart: a request that was on its way when the run died may only be
 * carried out after the first time. `undo` tells whether the container was there.
 */
async function untilNothingIsOnItsWay(undo: () => Promise<boolean>): Promise<void> {
  if (!(await undo())) return
  await sleep(500)
  await undo()
}

/** What an undo is about, for a message that it failed. */
export function describeUndo(undo: Undo): string {
  switch (undo.kind) {
    case 'processes':
      return `processes of run ${undo.run}`
    case 'process':
      return `process ${undo.pid}`
    case 'resume':
      return `stopped process ${undo.pid}`
    case 'namespaces':
      return `network namespaces ${undo.names.join(', ')}`
    case 'cpu-group':
      return `control group ${undo.directory}`
    case 'docker-cpu':
      return `CPU limit of container ${short(undo.container)}`
    case 'toxiproxy-toxics':
      return `toxics of Toxiproxy at ${undo.url}`
    case 'directory':
      return `directory ${undo.path}`
    case 'mount':
      return `mount at ${undo.path}`
    case 'filler':
      return `filler ${undo.path}`
    case 'replaced-file':
      return `replaced file ${undo.path} in ${undo.dataDir}`
    case 'clock':
      return `changed clocks of processes ${undo.processes.map(({ pid }) => pid).join(', ')}`
    case 'docker-run':
      return `containers and networks of run ${undo.run}`
    case 'docker-unpause':
      return `paused container ${short(undo.container)}`
    case 'docker-start':
      return `ended container ${short(undo.container)}`
    case 'docker-compose':
      return `project ${undo.project} of Docker Compose`
    case 'docker-nft-table':
      return `rule ${undo.table} of container ${short(undo.container)}`
    case 'docker-iptables-chains':
      return `chains ${undo.chain} of container ${short(undo.container)}`
    case 'docker-shaping':
      return `shaped traffic of container ${short(undo.container)}`
  }
}

function short(container: string): string {
  return container.slice(0, 12)
}
