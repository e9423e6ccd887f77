import { adopt } from './adopt.js'
import { compose } from './compose.js'
import { docker as containers } from './provider.js'

/** `docker(options)`, `docker.adopt(containers, options)` and `docker.compose(file, options)`. */
export type Docker = typeof containers & {
  readonly adopt: typeof adopt
  readonly compose: typeof compose
}

/** Containers as the nodes of a system: made for each run, started by another tool, or by a Compose file. */
export const docker: Docker = Object.assign(containers, { adopt, compose })
