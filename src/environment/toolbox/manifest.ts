import { z } from 'zod'

const names = z.record(z.string(), z.unknown()).catch({})
const manifestSchema = z.object({
  name: z.string().nullable().catch(null).default(null),
  scripts: names.default({}),
  dependencies: names.default({}),
  devDependencies: names.default({}),
  main: z.string().nullable().catch(null).default(null),
})

/** What is needed of a `package.json`. */
export type Manifest = z.infer<typeof manifestSchema>

const empty = manifestSchema.parse({})

/** Reads a `package.json`; one that is no JSON says nothing. */
export function readManifest(text: string): Manifest {
  try {
    const read = manifestSchema.safeParse(JSON.parse(text))
    return read.success ? read.data : empty
  } catch {
    // Not JSON, for instance a template: it offers nothing that could be run.
    return empty
  }
}
