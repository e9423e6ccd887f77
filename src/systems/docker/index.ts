/** Containers as the nodes of a system: `vitest-nemesis/docker`. */
export { docker } from './provider.js'
export type { DockerOptions } from './options.js'
export { fromDirectory, fromTar, imageFromHost } from './images/source.js'
export type { ImageSource } from './images/source.js'
