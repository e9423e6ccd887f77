import { createHash } from 'node:crypto'
import { readdirSync, statSync, type Stats } from 'node:fs'
import path from 'node:path'
import { execFileSync } from 'node:child_process'
import { EnvironmentError } from '../../../errors.js'
import { findProgram } from '../../program.js'

/** One file of an image: where it lies inside, and where it is read from here. */
export interface ImageFile {
  readonly target: string
  readonly source: string
  readonly stats: Stats
}

/**
 * The programs, every library that the dynamic linker loads for them, and the given files and directories.
 *
 * Name-service libraries come along although nothing links them: they are opened by name at run time.
 * Paths stay as the linker prints them, whichever of `/lib` and `/usr/lib` is a link here.
 * Throws EnvironmentError when a program or a file is not there.
 */
export function closureOf(binaries: readonly string[], files: Readonly<Record<string, string>>): ImageFile[] {
  const found = new Map<string, string>()
  for (const [target, source] of Object.entries(files)) {
    for (const file of filesUnder(source)) found.set(path.join(target, path.relative(source, file)), file)
  }
  const programs = binaries.map((name) => {
    const program = findProgram(name)
    if (program === null) throw notInstalled(name)
    return program
  })
  for (const program of programs) found.set(program, program)
  for (const loaded of [...found.values()].flatMap(librariesOf)) found.set(loaded, loaded)
  for (const library of nameServiceLibraries([...found.keys()])) found.set(library, library)
  return [...found]
    .map(([target, source]) => ({ target, source, stats: statSync(source) }))
    .filter((file) => file.stats.isFile())
    .sort((a, b) => (a.target < b.target ? -1 : 1))
}

function notInstalled(name: string): EnvironmentError {
  return new EnvironmentError(
    name,
    `imageFromHost(): ${name} is not installed here`,
    `install ${name}, or use another image`,
  )
}

function filesUnder(source: string): string[] {
  const stats = statSync(source, { throwIfNoEntry: false })
  if (stats === undefined) throw notInstalled(source)
  if (!stats.isDirectory()) return [source]
  return (readdirSync(source, { recursive: true }) as string[])
    .map((name) => path.join(source, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
}

function librariesOf(file: string): string[] {
  try {
    const printed = execFileSync('ldd', [file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return [...printed.matchAll(/(\/\S+) \(0x/g)].map((match) => match[1] as string)
  } catch {
    // ldd exits with 1 for a static program, a script or a data file: nothing to load.
    return []
  }
}

function nameServiceLibraries(targets: readonly string[]): string[] {
  const libc = targets.find((target) => path.basename(target) === 'libc.so.6')
  if (libc === undefined) return []
  return ['libnss_files.so.2', 'libnss_dns.so.2', 'libresolv.so.2']
    .map((name) => path.join(path.dirname(libc), name))
    .filter((file) => statSync(file, { throwIfNoEntry: false }) !== undefined)
}

/** Changes whenever a file of the image, or what else it is made of, changes. */
export function fingerprint(files: readonly ImageFile[], extra: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(extra))
  for (const { target, stats } of files) hash.update(`${target}\0${stats.size}\0${stats.mtimeMs}\0`)
  return hash.digest('hex').slice(0, 16)
}
