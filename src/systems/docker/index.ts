/** Containers as the nodes of a system: `vitest-nemesis/docker`. */
export { docker } from './docker.js'
export type { Docker } from './docker.js'
export type { DockerOptions } from './options.js'
export type { AdoptableContainer, AdoptOptions, ReachOptions } from './adopt-options.js'
export type { ComposeOptions } from './compose-options.js'
export { fromDirectory, fromTar, imageFromHost } from './images/source.js'
export type { ImageSource } from './images/source.js'
