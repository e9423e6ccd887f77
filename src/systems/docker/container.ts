import type Dockerode from 'dockerode'
import type { DockerSettings } from './options.js'
import { runLabel, type Engine } from './engine.js'
import { dataDir } from './launch-context.js'
import { tarOf } from './tar-of.js'

/** One container to be made. */
export interface ContainerPlan {
  readonly run: string
  readonly containerName: string
  readonly node: string
  readonly image: string
  readonly network: string
  readonly ip: string
  readonly command: readonly string[] | null
  readonly env: Readonly<Record<string, string>>
  /** Host port for each declared port; empty when nothing is published. */
  readonly published: ReadonlyMap<number, number>
  /** The host's address on which ports are published. */
  readonly publishOn: string
  /** A directory of this machine for the node's data; null for a volume of the engine. */
  readonly dataFrom: string | null
}

/** What the data directory is: a memory file system of the user's, or else a directory here, or a volume of its own. */
function dataMounts(
  { dataFrom, run }: ContainerPlan,
  { tmpfs }: Pick<DockerSettings, 'tmpfs'>,
): Dockerode.MountConfig {
  if (dataDir in tmpfs) return []
  if (dataFrom !== null) return [{ Type: 'bind', Source: dataFrom, Target: dataDir }]
  const own = { NoCopy: false, Labels: { [runLabel]: run }, DriverConfig: { Name: 'local', Options: {} } }
  // Without a name it goes with its container.
  return [{ Type: 'volume', Source: '', Target: dataDir, VolumeOptions: own }]
}

/** Makes a container (it does not run yet) with its fixed address and an empty data directory. Returns its id. */
export async function createNodeContainer(
  engine: Engine,
  plan: ContainerPlan,
  settings: Pick<DockerSettings, 'ports' | 'tmpfs' | 'user' | 'capAdd'>,
): Promise<string> {
  const bindings = Object.fromEntries(
    [...plan.published].map(([port, hostPort]) => [
      `${port}/tcp`,
      [{ HostIp: plan.publishOn, HostPort: String(hostPort) }],
    ]),
  )
  const container = await engine.createContainer({
    name: plan.containerName,
    Image: plan.image,
    Hostname: plan.node,
    Env: Object.entries(plan.env).map(([name, value]) => `${name}=${value}`),
    Labels: { [runLabel]: plan.run, 'nemesis.node': plan.node },
    ExposedPorts: Object.fromEntries(settings.ports.map((port) => [`${port}/tcp`, {}])),
    ...(plan.command === null ? {} : { Cmd: [...plan.command] }),
    ...(settings.user === null ? {} : { User: settings.user }),
    HostConfig: {
      NetworkMode: plan.network,
      // A container that comes back by itself would hide a kill.
      RestartPolicy: { Name: 'no' },
      PortBindings: bindings,
      Tmpfs: { ...settings.tmpfs },
      Mounts: dataMounts(plan, settings),
      CapAdd: [...settings.capAdd],
      LogConfig: { Type: 'json-file', Config: {} },
    },
    NetworkingConfig: {
      EndpointsConfig: { [plan.network]: { IPAMConfig: { IPv4Address: plan.ip }, Aliases: [plan.node] } },
    },
  })
  // A user by number gets the directory for itself, as servers like it; a name is known only inside the image.
  const numbers = /^(\d+)(?::(\d+))?$/.exec(settings.user ?? '0')
  const owner =
    numbers === null
      ? { mode: 0o777 }
      : { mode: 0o700, uid: Number(numbers[1]), gid: Number(numbers[2] ?? 0) }
  const { Config: config } = await container.inspect()
  const imageUser = settings.user === null && config.User !== ''
  await container.putArchive(
    tarOf({ name: `${dataDir.slice(1)}/`, type: 'directory', ...(imageUser ? { mode: 0o777 } : owner) }),
    { path: '/' },
  )
  return container.id
}
