import type { Scope } from './agents.js'
import { hasBlock, withBlock, withNewBlock, withoutBlock } from './block.js'
import { change, kept, type Change } from './change.js'
import type { Files } from './files.js'
import type { BlockRecord } from './manifest.js'

const byHand = 'the block in it is not as it was installed; change or remove it by hand'

/** What is to be done to a file that points to the skills: `record` is to be noted before `content` is written. */
export interface PointerChange {
  readonly change: Change
  /** Null when nothing is to be noted. */
  readonly record: BlockRecord | null
  /** Null when nothing is to be written. */
  readonly content: Buffer | null
}

/** Puts the block into a file, or brings it up to date. */
export async function pointed(
  files: Files,
  target: { readonly path: string; readonly scope: Scope; readonly skills: string },
  known: BlockRecord | null,
): Promise<PointerChange> {
  const { path } = target
  const bytes = await files.read(path)
  if (bytes?.includes(0) === true) {
    return { change: kept(path, 'it is no text'), record: known, content: null }
  }
  const text = bytes?.toString('latin1') ?? ''
  const renewed = known === null ? null : withNewBlock(text, known.inserted, target)
  if (known !== null && renewed !== null) {
    if (renewed.text === text) return { change: change('unchanged', path), record: known, content: null }
    return {
      change: change('updated', path),
      record: { ...known, inserted: renewed.inserted },
      content: Buffer.from(renewed.text, 'latin1'),
    }
  }
  if (hasBlock(text)) {
    const because = known === null ? 'it has such a block already, of which nothing is on record' : byHand
    return { change: kept(path, because), record: known, content: null }
  }
  const added = withBlock(text, target)
  return {
    change: change('wrote', path),
    record: { path, agents: [], inserted: added.inserted, created: bytes === null },
    content: Buffer.from(added.text, 'latin1'),
  }
}

/** Takes the block out of a file again; a file that was made for it goes as well. */
export async function unpoint(files: Files, record: BlockRecord): Promise<Change | null> {
  const bytes = await files.read(record.path)
  if (bytes === null) return null
  const text = bytes.toString('latin1')
  const without = withoutBlock(text, record.inserted)
  if (without === null) return hasBlock(text) ? kept(record.path, byHand) : null
  if (without === '' && record.created) await files.remove(record.path)
  else await files.write(record.path, Buffer.from(without, 'latin1'))
  return change('removed', record.path)
}
