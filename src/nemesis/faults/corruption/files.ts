import { createHash } from 'node:crypto'
import { FaultError, messageOf } from '../../../errors.js'
import type { ReplacedFile, Storage, StoredFile } from '../../../systems/capabilities.js'
import { changedContent, type FileChange } from './change.js'
import { matchesGlob } from './glob.js'

/** Which file: a pattern, of whose matches the largest is taken, or a function that picks one by its path. */
export type FileChoice = string | ((files: readonly StoredFile[]) => string)

/** A file of one node that has been changed. */
export interface ChangedFile {
  readonly path: string
  readonly before: Digest
  readonly changed: Digest
  readonly replaced: ReplacedFile
}

export interface Digest {
  readonly bytes: number
  readonly sha256: string
}

/** Throws FaultError that lists the files when none is meant. */
export async function chooseFile(storage: Storage, node: string, choice: FileChoice): Promise<string> {
  const files = await storage.files(node)
  const listed = files.map(({ path, bytes }) => `${path} (${bytes})`).slice(0, 20)
  const there = `it has ${files.length === 0 ? 'no files' : `${listed.join(', ')}${files.length > 20 ? ', …' : ''}`}`
  if (typeof choice === 'function') {
    const picked = callChoice(choice, files)
    if (files.some(({ path }) => path === picked)) return picked as string
    throw new FaultError(
      'corruption',
      `\`file\` returned ${JSON.stringify(picked)}, which is no file of ${node}: ${there}`,
    )
  }
  const [largest] = files
    .filter(({ path }) => matchesGlob(path, choice))
    .toSorted((a, b) => b.bytes - a.bytes)
  if (largest !== undefined) return largest.path
  throw new FaultError('corruption', `no file of ${node} matches ${JSON.stringify(choice)}: ${there}`)
}

function callChoice(choice: (files: readonly StoredFile[]) => string, files: readonly StoredFile[]): unknown {
  try {
    return choice(files)
  } catch (error) {
    throw new FaultError('corruption', `\`file\` threw: ${messageOf(error)}`, { cause: error })
  }
}

/** Changes the file and keeps what was in it; the node must be down. Throws FaultError when there is nothing in it to change. */
export async function changeFile(
  storage: Storage,
  node: string,
  { path, change }: { path: string; change: FileChange },
): Promise<ChangedFile> {
  const content = await storage.read(node, path)
  const corrupt = changedContent(content, change)
  const before = digestOf(content)
  const changed = digestOf(corrupt)
  if (changed.sha256 === before.sha256) {
    throw new FaultError(
      'corruption',
      `${path} of ${node} holds nothing that could be changed there: it has ${content.length} bytes`,
      { hint: 'choose another file or offset' },
    )
  }
  return { path, before, changed, replaced: await storage.replace(node, path, corrupt) }
}

/** Null when the file is not there. */
export async function digestNow(storage: Storage, node: string, path: string): Promise<Digest | null> {
  const there = (await storage.files(node)).some((file) => file.path === path)
  return there ? digestOf(await storage.read(node, path)) : null
}

function digestOf(content: Uint8Array): Digest {
  return { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}

/** `17 bytes, sha256 0475dbea…` */
export function inWords(digest: Digest | null): string {
  return digest === null ? 'not there' : `${digest.bytes} bytes, sha256 ${digest.sha256.slice(0, 16)}`
}
