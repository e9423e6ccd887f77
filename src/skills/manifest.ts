import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { messageOf, SkillsError } from '../errors.js'
import { writeAtomically } from '../session/write-atomically.js'
import { agentNames } from './agents.js'

/** Where it is noted, below home or project, what was installed. */
export const manifestPath = '.agents/vitest-nemesis.json'

/** A path below home or project; a manifest may come with a repository, so it must not lead anywhere else. */
const below = z
  .string()
  .refine((text) => text !== '' && !path.isAbsolute(text) && !/^\.\.?(\/|$)|\/\.\.?(\/|$)|[\\:]/.test(text), {
    error: 'must be a path below the folder that it is for',
  })
const digest = z.string().regex(/^[0-9a-f]{64}$/)
const users = z.array(z.enum(agentNames))

const manifestSchema = z.strictObject({
  schema: z.literal(1),
  /** Of the package that installed last. */
  version: z.string(),
  folders: z.array(
    z.strictObject({
      path: below,
      agents: users,
      /** Digest of each file as it was installed or offered. */
      files: z.record(below, digest),
      /** New versions that lie beside a file which somebody has changed. */
      offers: z.record(below, digest),
    }),
  ),
  blocks: z.array(
    z.strictObject({
      path: below,
      agents: users,
      /** Exactly what was added to the file, one byte a character. */
      inserted: z.string(),
      /** The file was not there before. */
      created: z.boolean(),
    }),
  ),
  /** Directories that were not there before, the outermost first. */
  directories: z.array(below),
})
export type Manifest = z.infer<typeof manifestSchema>
export type FolderRecord = Manifest['folders'][number]
export type BlockRecord = Manifest['blocks'][number]

/** What was installed below `base`; empty when nothing was. Throws SkillsError for a manifest that cannot be used. */
export async function readManifest(base: string, version: string): Promise<Manifest> {
  const file = path.join(base, manifestPath)
  if (!existsSync(file)) return { schema: 1, version, folders: [], blocks: [], directories: [] }
  try {
    return { ...manifestSchema.parse(JSON.parse(await readFile(file, 'utf8'))), version }
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)
    throw new SkillsError('manifest', `${file} cannot be used: ${reason}`, {
      hint: 'restore it from version control, or remove it and the skills by hand and install them again',
    })
  }
}

/** Writes the manifest; removes it when nothing is left to note. */
export async function writeManifest(base: string, manifest: Manifest): Promise<void> {
  const file = path.join(base, manifestPath)
  if (manifest.folders.length === 0 && manifest.blocks.length === 0) await rm(file, { force: true })
  else await writeAtomically(file, `${JSON.stringify(manifest, null, 2)}\n`)
}
