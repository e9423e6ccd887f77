import { get } from 'node:http'
import type { Probe } from './probe.js'

const timeoutMs = 5_000
const defaultSocket = '/var/run/docker.sock'

/** A Docker engine that answers, at DOCKER_HOST or at the usual socket. */
export const dockerEngine: Probe = async ({ env }) => {
  const host = env['DOCKER_HOST'] ?? `unix://${defaultSocket}`
  const answer = await versionOf(host)
  return {
    name: 'docker engine',
    present: 'version' in answer,
    detail: 'version' in answer ? `${answer.version} at ${host}` : `${host}: ${answer.problem}`,
    blocks: 'docker() systems',
    install: 'apt-get install docker.io, or set DOCKER_HOST to an engine that is running',
  }
}

type Answer = { readonly version: string } | { readonly problem: string }

function versionOf(host: string): Promise<Answer> {
  const target = requestTarget(host)
  if (target === null) return Promise.resolve({ problem: 'only unix:// and tcp:// are probed' })
  return new Promise((resolve) => {
    const request = get({ ...target, path: '/version', timeout: timeoutMs }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('end', () => resolve(parse(text)))
    })
    request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)))
    request.on('error', (error) => resolve({ problem: error.message }))
  })
}

function requestTarget(host: string): { socketPath: string } | { host: string; port: number } | null {
  if (host.startsWith('unix://')) return { socketPath: host.slice('unix://'.length) }
  if (!URL.canParse(host)) return null
  const { protocol, hostname, port } = new URL(host)
  return protocol === 'tcp:' || protocol === 'http:' ? { host: hostname, port: Number(port || 2375) } : null
}

function parse(text: string): Answer {
  try {
    const { Version } = JSON.parse(text) as { Version?: unknown }
    if (typeof Version === 'string') return { version: Version }
  } catch {
    // Something else than an engine answers there; said below.
  }
  return { problem: 'what answers is no Docker engine' }
}
