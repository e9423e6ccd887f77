import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'

/** A directory that goes away with the test file, and a way to put files into it. */
export function temporaryDirectory() {
  const directory = mkdtempSync(path.join(tmpdir(), 'nemesis-test-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  let files = 0
  return {
    fresh: (name = 'history.ndjson') => path.join(directory, `${files++}-${name}`),
    write(content: string | Uint8Array, name = 'history.ndjson'): string {
      const file = this.fresh(name)
      writeFileSync(file, content)
      return file
    },
  }
}
