import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { EnvironmentError } from '../../../errors.js'
import { findProgram } from '../../program.js'

let made: Promise<string> | null = null

/**
 * The path of the compiled `nfq-delay`, made on first use and kept in the user's cache under a name that changes with
 * its source. Statically linked where the C library allows, so that it also runs in a helper container.
 *
 * Throws EnvironmentError when there is no C compiler, or this is not Linux.
 */
export function delayerBinary(): Promise<string> {
  made ??= make()
  made.catch(() => {
    // The caller gets the failure; after an install the next call finds the compiler.
    made = null
  })
  return made
}

async function make(): Promise<string> {
  if (process.platform !== 'linux') {
    throw new EnvironmentError(
      'Linux',
      'delays in network namespaces need a small Linux program, which is compiled on this machine',
      'run the tests on Linux, or delay the links of processes() through the proxy',
    )
  }
  const source = sourceFile()
  const version = createHash('sha256')
    .update(await readFile(source))
    .update(process.arch)
    .digest('hex')
    .slice(0, 16)
  const cache = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'vitest-nemesis')
  await mkdir(cache, { recursive: true, mode: 0o700 })
  const binary = path.join(cache, `nfq-delay-${version}`)
  if (await isOurs(binary)) return binary
  const compiler = ['cc', 'gcc', 'clang'].find((name) => findProgram(name) !== null)
  if (compiler === undefined) {
    throw new EnvironmentError(
      'a C compiler',
      'a delay on this kernel needs a small program that is compiled on first use',
      "apt install gcc libc6-dev (or your system's C compiler and kernel headers)",
    )
  }
  const fresh = `${binary}.${randomUUID()}`
  try {
    await execa(compiler, ['-O2', '-static', '-o', fresh, source], { timeout: 60_000 }).catch(() =>
      // Some systems have no static C library.
      execa(compiler, ['-O2', '-o', fresh, source], { timeout: 60_000 }),
    )
    await rename(fresh, binary)
  } catch (error) {
    throw new EnvironmentError(
      'a working C compiler',
      `${compiler} cannot compile ${source}: ${String((error as { stderr?: unknown }).stderr ?? error)}`,
      'apt install gcc libc6-dev linux-libc-dev',
    )
  } finally {
    await rm(fresh, { force: true })
  }
  return binary
}

/** It is run as root: a file that another user has put there is made again. */
async function isOurs(binary: string): Promise<boolean> {
  if (!existsSync(binary)) return false
  return (await stat(binary)).uid === process.getuid?.()
}

/** `native/` lies beside `src/` in the repository and beside `dist/` in the package. */
function sourceFile(): string {
  for (
    let dir = path.dirname(fileURLToPath(import.meta.url));
    dir !== path.dirname(dir);
    dir = path.dirname(dir)
  ) {
    const candidate = path.join(dir, 'native', 'nfq-delay.c')
    if (existsSync(candidate)) return candidate
  }
  throw new EnvironmentError(
    'native/nfq-delay.c',
    'the package lacks native/nfq-delay.c',
    'install vitest-nemesis again',
  )
}
