import { stripVTControlCharacters } from 'node:util'
import type { Command } from 'commander'
import { vi } from 'vitest'
import { run } from '../../src/cli/run.js'

/** What a command line printed, without colours, which a CI machine gets and a pipe does not. */
export interface Typed {
  readonly code: number
  readonly text: string
  readonly errors: string
}

/** Runs a command line as it is typed, in this process. */
export async function typed(command: Command, ...args: readonly string[]): Promise<Typed> {
  let [text, errors] = ['', '']
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk)
    return true
  })
  try {
    const code = await run([command], args, (line) => void (errors += line))
    return { code, text: stripVTControlCharacters(text), errors: stripVTControlCharacters(errors) }
  } finally {
    write.mockRestore()
    // The command reports its code there, and that must not become the code of the test run.
    process.exitCode = undefined
  }
}
