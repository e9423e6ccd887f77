import { z } from 'zod'

/**
 * What the data directories of nodes lie on: a file system of our own that can do everything a disk can do wrong
 * (`fuse`), ext4 on a loop device of its own that can lose its power (`loop`), or a memory file system of a fixed size
 * that can be filled (`size`, such as `16m`). Left out: a plain directory.
 */
export type DiskOption = 'fuse' | 'loop' | { readonly size: string }

export const diskSchema: z.ZodType<DiskOption> = z.union(
  [z.enum(['fuse', 'loop']), z.strictObject({ size: z.string().regex(/^[1-9]\d*[kmg]$/) })],
  "expected 'fuse', 'loop' or a size such as { size: '16m' }",
)
