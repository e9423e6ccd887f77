import { z } from 'zod'

/** An image that is made on the engine when a run needs it. Made by `fromDirectory()`, `fromTar()` and `imageFromHost()`. */
export type ImageSource = z.infer<typeof imageSourceSchema>

export const imageSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('directory'), dir: z.string().min(1), tag: z.string().min(1) }),
  z.strictObject({ kind: z.literal('tar'), file: z.string().min(1), tag: z.string().min(1) }),
  z.strictObject({
    kind: z.literal('host'),
    tag: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._/-]*$/, 'a name of lower-case letters, without a version: it gets a hash'),
    binaries: z.array(z.string().min(1)).min(1),
    files: z.record(z.string().startsWith('/'), z.string()),
    command: z.array(z.string()).min(1).nullable(),
  }),
])

export type HostImage = Extract<ImageSource, { kind: 'host' }>

/** An image built from a directory that holds a `Dockerfile` (a `.dockerignore` beside it is honoured), named `tag`. */
export function fromDirectory(dir: string, { tag }: { tag: string }): ImageSource {
  return { kind: 'directory', dir, tag }
}

/** An image built from a tar file (plain or gzip) of a directory that holds a `Dockerfile`, named `tag`. */
export function fromTar(file: string, { tag }: { tag: string }): ImageSource {
  return { kind: 'tar', file, tag }
}

/**
 * An image of this machine's own programs and the libraries they load: no registry, no build, a second or so.
 *
 * `binaries` are names on the PATH or absolute paths. `files` adds files and whole directories, path inside the image
 * to path here. Where busybox is installed the image gets it, and with it a shell. The version of `tag` is a hash of the
 * programs, so the image is made again only when one of them changed. Linux only.
 */
export function imageFromHost(options: {
  tag: string
  binaries: string[]
  files?: Record<string, string>
  command?: string[]
}): ImageSource {
  return {
    kind: 'host',
    tag: options.tag,
    binaries: options.binaries,
    files: options.files ?? {},
    command: options.command ?? null,
  }
}
