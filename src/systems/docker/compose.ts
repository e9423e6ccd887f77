import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { execa } from 'execa'
import { EnvironmentError, SystemError } from '../../errors.js'
import type { Missing, NodeProvider, ProviderContext, RunningSystem } from '../system.js'
import { adoptContainers } from './adopt.js'
import type { Adoption } from './adopt-options.js'
import { composeMissing, findCompose, projectName, upArguments } from './compose-command.js'
import { composeSettings, type ComposeOptions, type ComposeSettings } from './compose-options.js'
import { engineAt, engineMissing, hostToRecord, type Engine } from './engine.js'
import { composeProject, sweepUntilEmpty } from './remove.js'
import { trackedJournal } from './tracked-journal.js'

/** Images may have to be pulled or built. */
const upWithinMs = 10 * 60_000

/**
 * The services of a Compose file as the nodes of a system. The whole file is started by Docker Compose as a project of
 * the run, and everything of that project is removed at its end, volumes too. Needs Docker Compose and the package
 * dockerode. What the file pulls or builds, Compose pulls and builds.
 *
 * Throws DeclarationError when an option is wrong.
 */
export function compose(file: string, options: ComposeOptions): NodeProvider {
  const settings = composeSettings(file, options)
  return {
    kind: 'docker',
    count: Object.keys(settings.services).length,
    async missing(): Promise<Missing[]> {
      const engine = await engineMissing(settings.host)
      const command = (await findCompose()) === null ? composeMissing : null
      const path = existsSync(file) ? null : absentFile(file)
      return [engine, command, path].filter((missing) => missing !== null)
    },
    start: (context) => startProject(settings, context),
  }
}

async function startProject(settings: ComposeSettings, context: ProviderContext): Promise<RunningSystem> {
  const { runId: run, signal } = context
  const command = await findCompose()
  const absent =
    (await engineMissing(settings.host)) ??
    (command === null ? composeMissing : null) ??
    (existsSync(settings.file) ? null : absentFile(settings.file))
  if (absent !== null || command === null)
    throw new EnvironmentError(absent?.what ?? '', `there is no ${absent?.what}`, absent?.hint ?? '')
  const engine = await engineAt(settings.host)
  const host = hostToRecord(settings.host)
  const project = projectName(run)
  const journal = trackedJournal(context.journal)
  await journal.open({ kind: 'docker-compose', project, host })
  // Compose itself, should it outlive this process.
  await journal.open({ kind: 'processes', run })
  const remove = async (emptySweeps: number): Promise<void> => {
    await sweepUntilEmpty(engine, composeProject(project), emptySweeps)
    await journal.closeAll()
  }
  try {
    const [file, ...args] = command
    const path = resolve(settings.file)
    const { failed, all, isCanceled } = await execa(file, [...args, ...upArguments(path, project)], {
      cwd: dirname(path),
      env: { ...settings.env, ...(host === null ? {} : { DOCKER_HOST: host }), NEMESIS_RUN: run },
      all: true,
      reject: false,
      stdin: 'ignore',
      timeout: upWithinMs,
      cancelSignal: signal,
    })
    if (isCanceled) signal.throwIfAborted()
    if (failed) {
      throw new SystemError('docker-compose', `${settings.file} cannot be started: ${lastLines(all ?? '')}`, {
        hint: `try it by hand: ${command.join(' ')} --file ${settings.file} up`,
      })
    }
    const adoptions = await adoptionsIn(engine, { project, settings })
    const system = await adoptContainers(adoptions, settings, context)
    const end = async (): Promise<void> => {
      try {
        await system.stop()
      } finally {
        await remove(1)
      }
    }
    let stopped: Promise<void> | null = null
    return { ...system, stop: () => (stopped ??= end()) }
  } catch (error) {
    // What Compose has asked for when it was ended may still be made.
    await remove(2).catch((failure: unknown) =>
      // The journal still holds the removal.
      process.emitWarning(`project ${project}: clean-up: ${String(failure)}`, 'NemesisWarning'),
    )
    throw error
  }
}

/** The container of each service that is to be a node. */
async function adoptionsIn(
  engine: Engine,
  { project, settings }: { project: string; settings: ComposeSettings },
): Promise<Adoption[]> {
  const filters = JSON.stringify({ label: [composeProject(project)] })
  const containers = await engine.listContainers({ all: true, filters })
  const serviceOf = (labels: Readonly<Record<string, string>>) => labels['com.docker.compose.service'] ?? ''
  return Object.entries(settings.services).map(([service, ports]) => {
    const own = containers.filter(({ Labels }) => serviceOf(Labels) === service)
    const [container] = own
    if (container !== undefined && own.length === 1) return { name: service, container: container.Id, ports }
    const known = [...new Set(containers.map(({ Labels }) => serviceOf(Labels)))].sort().join(', ')
    throw new SystemError(
      'docker-compose',
      own.length === 0
        ? `${settings.file} has started no container of the service ${service}`
        : `the service ${service} has ${own.length} containers: a node is one`,
      {
        hint:
          known === ''
            ? 'Compose has started nothing on this engine: set DOCKER_HOST to the engine that it uses (docker context inspect)'
            : `the services that run are ${known}; give each node a service of its own`,
      },
    )
  })
}

function absentFile(file: string): Missing {
  return { what: file, hint: `check the path (it is relative to ${process.cwd()})` }
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-8).join('\n    ')
}
