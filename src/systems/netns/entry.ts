import { existsSync } from 'node:fs'
import type { NamespaceExec } from './exec.js'
import type { Namespaces } from './namespaces.js'
import { nsenter } from './nsenter.js'
import { namespaceFile } from './names.js'

/** What is put before a command to run it in a namespace. The program takes the place of `nsenter`, with its pid. */
export function inNamespace(name: string): readonly string[] {
  return ['nsenter', `--net=${namespaceFile(name)}`, '--']
}

/** The way into the namespaces of a run. */
export function enterNamed(run: string): NamespaceExec {
  return nsenter({ run, target: async (name) => inNamespace(name).slice(1) })
}

/** Namespaces that stay while their nodes are down, and with them every rule. */
export const namedNamespaces: Namespaces = {
  isThere: async (name) => existsSync(namespaceFile(name)),
  addressesOf: async ({ ip }) => [ip],
  // Whatever is in a namespace goes with it, and a run that has died needs it no more.
  undoOf: (name) => ({ kind: 'namespaces', names: [name] }),
}
