import { mkdir } from 'node:fs/promises'
import { disksMissing } from '../storage/disks.js'
import type { Missing, NodeProvider } from '../system.js'
import { engineAt, engineMissing } from './engine.js'
import { imageMissing } from './images/ensure.js'
import { settingsOf, type DockerOptions } from './options.js'
import { startRun } from './start-run.js'

/**
 * Nodes as containers of a Docker engine: each run has its own bridge network with fixed addresses, and everything it
 * makes carries the label `nemesis.run=<run>`, by which it is removed. Needs the package dockerode.
 *
 * Throws DeclarationError when an option is wrong.
 */
export function docker(options: DockerOptions): NodeProvider {
  const settings = settingsOf(options)
  return {
    kind: 'docker',
    count: settings.names.length,
    async missing(): Promise<Missing[]> {
      const engine = await engineMissing(settings.host)
      // Without an engine nothing is known of its images.
      if (engine !== null) return [engine]
      const image = await imageMissing(await engineAt(settings.host), settings.image)
      const disks = settings.disk === null ? null : await disksMissing(settings.disk)
      return [image, disks].filter((missing) => missing !== null)
    },
    async start(context) {
      await mkdir(context.logsDir, { recursive: true })
      return startRun(settings, context)
    },
  }
}
