import { createWriteStream, type WriteStream } from 'node:fs'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import type Dockerode from 'dockerode'
import type { Engine } from './engine.js'
import type { DockerNode } from './node.js'

/** Copies what the containers print into one file a node, over all their restarts. */
export interface LogFollower {
  /** Call before a node is started, so that nothing it prints is missed. */
  attach(node: DockerNode): Promise<void>
  /** Call when a node was started by something else; copies what it has printed since it had `ended` (RFC 3339). */
  resume(node: DockerNode, ended: string): Promise<void>
  /**
   * Waits until the files hold everything: containers must have ended. What runs on is let go of after `lingerMs`,
   * two seconds unless told.
   */
  close(options?: { readonly lingerMs: number }): Promise<void>
}

/** Follows the logs of containers into `<logsDir>/<node>.log`, standard output and error together. */
export function followLogs(engine: Engine, logsDir: string): LogFollower {
  const files = new Map<string, WriteStream>()
  const sources = new Map<string, NodeJS.ReadableStream>()

  const follow = (node: DockerNode, source: NodeJS.ReadableStream, raw: boolean): void => {
    let file = files.get(node.name)
    if (file === undefined) {
      file = createWriteStream(path.join(logsDir, `${node.name}.log`), { flags: 'a' })
      files.set(node.name, file)
    }
    sources.set(node.name, source)
    const done = () => {
      if (sources.get(node.name) === source) sources.delete(node.name)
    }
    source.on('end', done).on('close', done).on('error', done)
    if (raw) source.pipe(file, { end: false })
    else engine.modem.demuxStream(source, file, file)
  }

  return {
    async attach(node) {
      const container = engine.getContainer(node.id)
      follow(
        node,
        await container.attach({ stream: true, stdout: true, stderr: true }),
        await onTerminal(container),
      )
    },
    async resume(node, ended) {
      if (sources.has(node.name)) return
      // A millisecond later than told: the engine knows the moment more finely than a Date.
      const seconds = (Date.parse(ended) + 1) / 1000
      const container = engine.getContainer(node.id)
      const source = await container.logs({ follow: true, stdout: true, stderr: true, since: seconds })
      follow(node, source, await onTerminal(container))
    },
    async close({ lingerMs } = { lingerMs: 2_000 }) {
      await Promise.all([...sources.values()].map((source) => ended(source, lingerMs)))
      await Promise.all([...files.values()].map((file) => finished(file.end())))
    },
  }
}

/** What a program prints on a terminal comes as it is; else in frames that tell output from errors. */
async function onTerminal(container: Dockerode.Container): Promise<boolean> {
  return (await container.inspect()).Config.Tty
}

/** The engine ends a stream when its container has ended; one that it forgets must not hold up the run. */
async function ended(source: NodeJS.ReadableStream, lingerMs: number): Promise<void> {
  const timer = setTimeout(() => (source as NodeJS.ReadableStream & { destroy(): void }).destroy(), lingerMs)
  await finished(source).catch(() => {
    // An aborted stream has nothing more to say.
  })
  clearTimeout(timer)
}

/** The last lines that a container printed. */
export async function lastLines(engine: Engine, id: string, count: number): Promise<string> {
  const frames = await engine.getContainer(id).logs({ stdout: true, stderr: true, tail: count })
  return unframed(frames).trimEnd()
}

/** Joins the frames (8 bytes of header with the length in the last 4, then the payload) in which engines send output. */
export function unframed(frames: Buffer): string {
  const parts: Buffer[] = []
  for (let at = 0; at + 8 <= frames.length;) {
    const length = frames.readUInt32BE(at + 4)
    parts.push(frames.subarray(at + 8, at + 8 + length))
    at += 8 + length
  }
  return Buffer.concat(parts).toString('utf8')
}
