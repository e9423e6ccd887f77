import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { reservePorts } from '../../../src/systems/proxy/reserved-ports.js'
import { findProgram } from '../../../src/systems/program.js'
import { becomes } from '../../../src/time/wait.js'

/** A server with the HTTP API of Toxiproxy. */
export interface ToxiproxyServer {
  readonly url: string
  /** Makes a proxy on a free port of its own. */
  create(name: string, upstream: string): Promise<void>
  toxics(name: string): Promise<readonly { readonly name: string; readonly type: string }[]>
  removeToxic(proxy: string, name: string): Promise<void>
  stop(): Promise<void>
}

const standIn = fileURLToPath(new URL('../../fixtures/systems/toxiproxy-stand-in.mjs', import.meta.url))

/** What to start: the real one where it is installed, and a stand-in that does what the documentation says. */
export const servers: readonly { readonly kind: string; readonly command: readonly string[] | null }[] = [
  { kind: 'stand-in', command: [process.execPath, standIn] },
  {
    kind: 'real',
    command: findProgram('toxiproxy-server') === null ? null : ['toxiproxy-server', '-proxy-metrics'],
  },
]

/** Starts it, and resolves when it answers. */
export async function startServer([file, ...args]: readonly string[]): Promise<ToxiproxyServer> {
  const { ports, release } = await reservePorts(1)
  const url = `http://127.0.0.1:${ports[0]}`
  const child = spawn(file as string, [...args, '-port', String(ports[0])], { stdio: 'ignore' })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(5_000) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const answers = () =>
    ask('/version').then(
      () => true,
      () => false,
    )
  if (!(await becomes(answers, { withinMs: 20_000 }))) throw new Error(`${file} does not answer at ${url}`)
  return {
    url,
    async create(name, upstream) {
      await ask('/proxies', {
        method: 'POST',
        body: JSON.stringify({ name, listen: '127.0.0.1:0', upstream }),
      })
    },
    async toxics(name) {
      const all = (await (await ask('/proxies')).json()) as Record<
        string,
        { toxics: { name: string; type: string }[] }
      >
      return all[name]?.toxics ?? []
    },
    async removeToxic(proxy, name) {
      await ask(`/proxies/${proxy}/toxics/${name}`, { method: 'DELETE' })
    },
    async stop() {
      child.kill('SIGKILL')
      await gone
      await release()
    },
  }
}
