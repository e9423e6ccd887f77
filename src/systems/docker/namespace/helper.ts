import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type Dockerode from 'dockerode'
import { runLabel, unlessGone, type Engine } from '../engine.js'
import { execIn, exitCodeOf } from '../exec-in.js'
import { ensureImage } from '../images/ensure.js'
import { tarOf } from '../tar-of.js'
import { CommandFailed, splitLines, type NamespaceExec } from '../../netns/exec.js'
import { helperImageFromHost } from './helper-image.js'

interface Helper {
  readonly container: Dockerode.Container
  /** When the target was started; after a restart it has another namespace than this helper. */
  readonly targetStartedAt: string
}

/**
 * Enters by helper containers, each sharing the network namespace of one target: for engines on another kernel, and
 * for users who are not root. A helper may administer that network (NET_ADMIN) and nothing else; it carries the run's
 * label.
 */
export function enterByHelper({
  engine,
  run,
  helperImage,
}: {
  engine: Engine
  run: string
  helperImage: string | null
}): NamespaceExec {
  let image: Promise<string> | null = null
  const helpers = new Map<string, Promise<Helper>>()

  const startHelper = async (target: string, targetStartedAt: string): Promise<Helper> => {
    image ??= ensureImage(engine, helperImage ?? helperImageFromHost())
    const container = await engine.createContainer({
      name: `nemesis-helper-${target.slice(0, 12)}-${Date.now().toString(36)}`,
      Image: await image,
      Entrypoint: ['sleep'],
      Cmd: ['infinity'],
      User: '0',
      Labels: { [runLabel]: run },
      HostConfig: {
        NetworkMode: `container:${target}`,
        CapDrop: ['ALL'],
        CapAdd: ['NET_ADMIN'],
        RestartPolicy: { Name: 'no' },
      },
    })
    await container.start()
    return { container, targetStartedAt }
  }

  const helperOf = async (target: string): Promise<Dockerode.Container> => {
    const { State: state } = await engine.getContainer(target).inspect()
    const present = await helpers.get(target)?.catch(() => null)
    if (present?.targetStartedAt === state.StartedAt) return present.container
    helpers.delete(target)
    if (present) await unlessGone(present.container.remove({ force: true }))
    const starting = startHelper(target, state.StartedAt)
    helpers.set(target, starting)
    return (await starting).container
  }

  // One at a time for each target, so that two rules do not start two helpers.
  const queues = new Map<string, Promise<unknown>>()
  const helperFor = (target: string): Promise<Dockerode.Container> => {
    const next = (queues.get(target) ?? Promise.resolve()).then(
      () => helperOf(target),
      () => helperOf(target),
    )
    queues.set(target, next)
    return next
  }

  const runIn = async (target: string, argv: readonly string[], stdin = ''): Promise<string> => {
    const execution = await execIn(engine, await helperFor(target), argv)
    const { stream, stdout, stderr } = execution
    stream.end(stdin)
    const [out, err] = await Promise.all([text(stdout), text(stderr)])
    const exitCode = await exitCodeOf(execution)
    if (exitCode !== 0) throw new CommandFailed(argv, `exited with ${exitCode}`, err)
    return out
  }

  return {
    mechanism: 'helper container',
    run: runIn,
    readNet: (target, file) => runIn(target, ['cat', `/proc/net/${file}`]),
    async start(target, file, args) {
      const helper = await helperFor(target)
      const inside = `/tmp/${file.slice(file.lastIndexOf('/') + 1)}`
      const entry = { name: inside.slice(1), mode: 0o755 }
      await helper.putArchive(tarOf(entry, await readFile(file)), { path: '/' })
      const { stream, stdout, stderr } = await execIn(engine, helper, [inside, ...args])
      return {
        write: (line) => void stream.write(line),
        onLine: (listener) => void stdout.on('data', splitLines(listener)),
        end: () => void stream.end(),
        exited: text(stderr),
      }
    },
    async close() {
      const started = await Promise.all([...helpers.values()].map((helper) => helper.catch(() => null)))
      helpers.clear()
      await Promise.all(
        started.map(async (helper) => {
          if (helper !== null) await unlessGone(helper.container.remove({ force: true }))
        }),
      )
    },
  }
}
