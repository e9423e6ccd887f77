import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { nemesisOf } from '../../findings/reduction/events.js'
import type { Reduction } from '../../session/reduction-record.js'
import { reproducerSchema, type Reproducer } from '../../findings/reduction/reproducer.js'
import { snippetOf } from '../../findings/reduction/snippet.js'
import { sessionLayout } from '../../session/layout.js'
import { safeName } from '../../session/names.js'
import { writeAtomically } from '../../session/write-atomically.js'
import type { Passes } from '../runs/passes.js'

/**
 * Writes `reproducer.json` and, where faults and operations can be told in code, `reproducer.scenario.txt` among the
 * artifacts of the scenario. Resolves to their paths in the session. The code has no name of code: Vitest would find it and
 * run it by itself, without what it is to be pasted below.
 */
export async function writeReproducer(
  { environment, spec }: Pick<Passes, 'environment' | 'spec'>,
  reproducer: Reproducer,
): Promise<Pick<Reduction, 'reproducer' | 'snippet'>> {
  const { sessionDir, name, root } = environment
  const folder = join(sessionLayout(sessionDir).artifacts, safeName(name))
  const within = (file: string) => relative(sessionDir, file).split(sep).join('/')
  const file = join(folder, 'reproducer.json')
  await writeAtomically(file, `${JSON.stringify(reproducerSchema.parse(reproducer), null, 2)}\n`)
  const source = await sourceOf(reproducer, root ?? null)
  const nemeses = new Map(
    reproducer.faults.map((fault) => [fault.id, nemesisOf(spec.nemesis ?? [], fault)] as const),
  )
  const snippet = source === null ? null : snippetOf(reproducer, { source, nemeses })
  const snippetFile = join(folder, 'reproducer.scenario.txt')
  // One of an earlier reduction would be of another reproducer.
  if (snippet === null) {
    await rm(snippetFile, { force: true })
    return { reproducer: within(file), snippet: null }
  }
  await writeAtomically(snippetFile, snippet)
  return { reproducer: within(file), snippet: within(snippetFile) }
}

/** The file that declares the scenario; null when it is not there. */
async function sourceOf({ scenario: { location } }: Reproducer, root: string | null): Promise<string | null> {
  const [file = ''] = (location ?? '').split(':')
  if (root === null || file === '' || !existsSync(join(root, file))) return null
  return readFile(join(root, file), 'utf8')
}
