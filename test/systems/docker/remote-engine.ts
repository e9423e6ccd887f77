import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { becomes } from '../../../src/time/wait.js'

const run = promisify(execFile)
import { unusedSubnet } from './unused-subnet.js'

/** An engine that this machine reaches over a network only: its containers have addresses and pids of another world. */
export interface RemoteEngine {
  /** As in `DOCKER_HOST`. */
  readonly host: string
  readonly address: string
  stop(): Promise<void>
}

/**
 * Starts a second engine in network, process and mount namespaces of its own, joined to this machine by a link; listens
 * on TCP. Needs root. Everything it has made ends with it.
 */
export async function startRemoteEngine(): Promise<RemoteEngine> {
  const root = await mkdtemp(join(tmpdir(), 'nemesis-test-engine-'))
  const namespace = `remote-${process.pid}`
  const link = `remote${process.pid}`
  const ip = (...args: string[]) => run('ip', args, { timeout: 30_000 })
  const subnet = await unusedSubnet('10.213.0.0/17')
  const [own, address] = [subnet.address(1), subnet.address(2)]
  await ip('netns', 'add', namespace)
  await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
  await ip('-n', namespace, 'link', 'set', 'lo', 'up')
  await ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0')
  await ip('-n', namespace, 'link', 'set', 'eth0', 'up')
  await ip('address', 'add', `${own}/24`, 'dev', link)
  await ip('link', 'set', link, 'up')

  const directories = ['--data-root', join(root, 'data'), '--exec-root', join(root, 'exec')]
  const engine = spawn(
    'nsenter',
    [
      ...[
        `--net=/run/netns/${namespace}`,
        'unshare',
        '--mount',
        '--pid',
        '--fork',
        '--mount-proc',
        '--kill-child',
      ],
      ...['dockerd', '--host', 'tcp://0.0.0.0:2375', ...directories, '--pidfile', join(root, 'pid')],
      ...['--bip', '10.213.250.1/24'],
    ],
    { stdio: 'ignore', detached: true },
  )
  const ended = new Promise<void>((resolve) => engine.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    // The whole process namespace ends with its first process.
    engine.kill('SIGKILL')
    await ended
    await becomes(async () => (await processesUnder(root)).length === 0, { withinMs: 60_000 })
    await ip('link', 'delete', link)
    await ip('netns', 'delete', namespace)
    await rm(root, { recursive: true, force: true, maxRetries: 10 })
  }
  if (!(await becomes(() => answers(`http://${address}:2375/_ping`), { withinMs: 90_000 }))) {
    await stop()
    throw new Error('the second engine does not answer')
  }
  return { host: `tcp://${address}:2375`, address, stop }
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { timeout: 1_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}

/** Lines of `ps` with a path below the directory. */
async function processesUnder(root: string): Promise<string[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,args='])
  return stdout.split('\n').filter((line) => line.includes(root))
}
