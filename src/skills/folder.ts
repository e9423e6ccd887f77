import { change, kept, type Change } from './change.js'
import type { Files } from './files.js'
import type { FolderRecord } from './manifest.js'
import { digestOf } from './shipped.js'

/**
 * Brings the skills in a folder to what is shipped. A file that somebody has changed is kept; when the shipped one has
 * changed too, it is laid beside it as `<file>.new`.
 */
export async function syncFolder(
  files: Files,
  record: FolderRecord,
  shipped: ReadonlyMap<string, Buffer>,
): Promise<{ readonly record: FolderRecord; readonly changes: readonly Change[] }> {
  const changes: Change[] = []
  const digests: Record<string, string> = {}
  const offers: Record<string, string> = { ...record.offers }
  for (const [name, content] of shipped) {
    const target = `${record.path}/${name}`
    const digest = digestOf(content)
    const there = await files.read(target)
    const isOurs = there !== null && digestOf(there) === record.files[name]
    if (there !== null && there.equals(content)) {
      changes.push(change('unchanged', target))
      await withdraw(name)
    } else if (there === null || isOurs) {
      await files.write(target, content)
      changes.push(change(there === null ? 'wrote' : 'updated', target))
    } else if (record.files[name] === digest) {
      changes.push(kept(target, 'it has been changed here'))
    } else {
      changes.push(await offer(name, content))
    }
    digests[name] = digest
  }
  for (const name of Object.keys(record.files).filter((one) => !shipped.has(one))) {
    changes.push(...(await takeAway(files, `${record.path}/${name}`, record.files[name])))
  }
  return { record: { ...record, files: digests, offers }, changes }

  async function offer(name: string, content: Buffer): Promise<Change> {
    const beside = `${name}.new`
    const target = `${record.path}/${beside}`
    const there = await files.read(target)
    if (there !== null && !there.equals(content) && digestOf(there) !== offers[beside]) {
      return kept(`${record.path}/${name}`, `it has been changed here, and so has ${beside}`)
    }
    await files.write(target, content)
    offers[beside] = digestOf(content)
    return kept(`${record.path}/${name}`, `it has been changed here; the new version is ${beside}`)
  }

  /** Removes an offer that has been taken. */
  async function withdraw(name: string): Promise<void> {
    const beside = `${name}.new`
    const digest = offers[beside]
    if (digest === undefined) return
    changes.push(...(await takeAway(files, `${record.path}/${beside}`, digest)))
    delete offers[beside]
  }
}

/** Removes what was installed in a folder; what somebody has changed is kept. */
export async function clearFolder(files: Files, record: FolderRecord): Promise<readonly Change[]> {
  const changes: Change[] = []
  for (const [name, digest] of Object.entries({ ...record.files, ...record.offers })) {
    changes.push(...(await takeAway(files, `${record.path}/${name}`, digest)))
  }
  return changes
}

async function takeAway(files: Files, target: string, digest: string | undefined): Promise<Change[]> {
  const there = await files.read(target)
  if (there === null) return []
  if (digestOf(there) !== digest) return [kept(target, 'it has been changed here')]
  await files.remove(target)
  return [change('removed', target)]
}
