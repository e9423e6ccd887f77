import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Journals in a state directory, in words: one for each run that is not over. */
export async function journals(state) {
  const names = await readdir(join(state, 'undo')).catch(() => [])
  return names.map((name) => `journal ${name}`)
}

/** What this package has put into a directory for temporary files, in words. */
export async function temporaries(directory) {
  const names = await readdir(directory)
  return names.filter((name) => name.includes('nemesis')).map((name) => `temporary ${name}`)
}
