import type Dockerode from 'dockerode'
import { EnvironmentError, messageOf } from '../../errors.js'
import type { Missing } from '../system.js'

/** The engine's API client. */
export type Engine = Dockerode

/** The label that everything of a run carries; its value is the run's id. */
export const runLabel = 'nemesis.run'

/**
 * A client of the engine at `host`, written as in `DOCKER_HOST`: `unix:///var/run/docker.sock`, `tcp://box:2375`,
 * `ssh://me@box`. Null takes `DOCKER_HOST`, or else the usual socket. Does not connect yet.
 *
 * Throws EnvironmentError when dockerode is not installed.
 */
export async function engineAt(host: string | null): Promise<Engine> {
  const Docker = await importDockerode()
  return host === null ? new Docker() : new Docker(endpoint(host))
}

async function importDockerode(): Promise<typeof Dockerode> {
  try {
    return (await import('dockerode')).default
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new EnvironmentError('dockerode', 'docker() needs the package dockerode', 'npm i -D dockerode')
  }
}

/** True for text that can be written in `DOCKER_HOST`. */
export function isEngineHost(host: string): boolean {
  return (
    /^(?:(?:unix|npipe):\/\/)?\/./.test(host) || (/^(?:tcp|https?|ssh):\/\//.test(host) && URL.canParse(host))
  )
}

function endpoint(host: string): Dockerode.DockerOptions {
  const socket = /^(?:(?:unix|npipe):\/\/)?(\/.*)$/.exec(host)?.[1]
  // The client prefers a host over a socket path, and may have taken a host from DOCKER_HOST.
  if (socket !== undefined) return { host: undefined, socketPath: socket }
  const url = new URL(host.includes('://') ? host : `tcp://${host}`)
  if (url.protocol === 'ssh:') {
    return {
      protocol: 'ssh',
      host: url.hostname,
      port: url.port === '' ? 22 : Number(url.port),
      ...(url.username === '' ? {} : { username: url.username }),
      sshOptions: process.env['SSH_AUTH_SOCK'] === undefined ? {} : { agent: process.env['SSH_AUTH_SOCK'] },
    }
  }
  const secure = url.protocol === 'https:' || url.port === '2376' || process.env['DOCKER_TLS_VERIFY'] === '1'
  return {
    protocol: secure ? 'https' : 'http',
    host: url.hostname,
    port: url.port === '' ? 2375 : Number(url.port),
  }
}

/**
 * The engine's address for another process to use, which may not have the same `DOCKER_HOST`; null for the usual socket.
 */
export function hostToRecord(host: string | null): string | null {
  return host ?? process.env['DOCKER_HOST'] ?? null
}

/** Where the engine is looked for, for people. */
export function describeHost(host: string | null): string {
  return hostToRecord(host) ?? 'the default socket (/var/run/docker.sock)'
}

/** The host name under which published ports of the engine are reached from here. */
export function publishedHost(host: string | null): string {
  const address = hostToRecord(host) ?? ''
  const name = /^(?:tcp|https?|ssh):\/\//.test(address) ? parseUrl(address)?.hostname : undefined
  return name === undefined || name === '' || name === 'localhost' ? '127.0.0.1' : name
}

/** What keeps the engine from being used; null when it answers. */
export async function engineMissing(host: string | null): Promise<Missing | null> {
  try {
    await (await engineAt(host)).ping()
    return null
  } catch (error) {
    if (error instanceof EnvironmentError) return { what: error.missing, hint: error.hint ?? '' }
    return {
      what: `a Docker engine: ${describeHost(host)} does not answer (${messageOf(error)})`,
      hint: startHint(error),
    }
  }
}

function startHint(error: unknown): string {
  if ((error as { code?: unknown }).code === 'EACCES') {
    return 'add this user to the group docker (sudo usermod -aG docker $USER, then log in again), or set DOCKER_HOST'
  }
  return process.platform === 'linux'
    ? 'start it (sudo systemctl start docker), install it (https://docs.docker.com/engine/install/), or set DOCKER_HOST'
    : 'start Docker Desktop, or set DOCKER_HOST to the socket of another engine'
}

/** The HTTP status with which the engine refused a request; null when it is another kind of error. */
export function statusOf(error: unknown): number | null {
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  return typeof status === 'number' ? status : null
}

/** Ignores that the thing is gone already or that the engine is in that state already (HTTP 304 and 404). */
export async function unlessGone(request: Promise<unknown>): Promise<void> {
  try {
    await request
  } catch (error) {
    const status = statusOf(error)
    if (status !== 404 && status !== 304) throw error
  }
}

// URL.parse() came with Node 22.
function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}
