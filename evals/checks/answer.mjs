import { readFile } from 'node:fs/promises'

/** What the agent said at the end. */
export async function subjectOf(file) {
  return { text: await readFile(file, 'utf8') }
}

export const properties = {
  says({ text }, { pattern, never = false }) {
    if (new RegExp(pattern, 'i').test(text) !== never) return []
    return [`the answer ${never ? 'has' : 'lacks'} what matches /${pattern}/`]
  },
}
