import { execa } from 'execa'

const timeoutMs = 5_000

/** How a command that only looks ended: its first line of output, or why it failed in one line. */
export interface Looked {
  readonly ok: boolean
  readonly line: string
}

/** Runs a short command that changes nothing. Does not throw: a command that is not there or hangs has failed. */
export async function look(file: string, args: readonly string[], input = ''): Promise<Looked> {
  const result = await execa(file, args, { reject: false, timeout: timeoutMs, input, all: true })
  const line = result.all?.split('\n').find((text) => text.trim() !== '') ?? ''
  return result.failed
    ? { ok: false, line: line === '' ? (result.shortMessage ?? `${file} failed`) : line.trim() }
    : { ok: true, line: line.trim() }
}

/**
 * Runs a command in a network namespace that exists only for it, so that nothing of the machine changes.
 * Without root it goes through a user namespace, where the kernel allows that.
 */
export function lookInNamespace(file: string, args: readonly string[], input = ''): Promise<Looked> {
  const asRoot = process.getuid?.() === 0
  return look(
    'unshare',
    [...(asRoot ? ['--net'] : ['--user', '--map-root-user', '--net']), file, ...args],
    input,
  )
}
