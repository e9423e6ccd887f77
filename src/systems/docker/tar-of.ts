import { PassThrough, type Readable } from 'node:stream'
import tar from 'tar-stream'

/** A tar stream of one entry, to be put into a container. */
export function tarOf(entry: Partial<tar.Header> & { name: string }, content?: Buffer): Readable {
  const pack = tar.pack()
  if (content === undefined) pack.entry(entry)
  else pack.entry(entry, content)
  pack.finalize()
  return pack.pipe(new PassThrough())
}
