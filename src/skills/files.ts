import { existsSync, realpathSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { SkillsError } from '../errors.js'
import { writeAtomically } from '../session/write-atomically.js'
import type { Scope } from './agents.js'

/** The files below home or project that are read and written, and the directories that had to be made for them. */
export class Files {
  readonly #base: string
  readonly #scope: Scope
  readonly #made: string[]

  /** `made`: directories that were made earlier, relative to `base`. */
  constructor(base: string, scope: Scope, made: readonly string[]) {
    this.#base = realpathSync(base)
    this.#scope = scope
    this.#made = [...made]
  }

  get made(): readonly string[] {
    return this.#made
  }

  /** The content of a file; null when there is none. */
  async read(relative: string): Promise<Buffer | null> {
    const file = this.#resolved(relative)
    if (!existsSync(file)) return null
    if (!(await stat(file)).isFile()) {
      throw new SkillsError('not-a-file', `${file} is not a file`, { hint: 'move it out of the way' })
    }
    return readFile(file)
  }

  /** Replaces a file as a whole; one that was there keeps its permissions, and a link stays a link. */
  async write(relative: string, content: Buffer): Promise<void> {
    const file = this.#resolved(relative)
    await this.#makeDirectories(relative)
    const mode = existsSync(file) ? (await stat(file)).mode : null
    await writeAtomically(file, content)
    if (mode !== null) await chmod(file, mode)
  }

  /** Makes the directories that a file needs, and remembers those that were not there. */
  async makeRoomFor(relative: string): Promise<void> {
    this.#resolved(relative)
    await this.#makeDirectories(relative)
  }

  async remove(relative: string): Promise<void> {
    await rm(path.join(this.#base, relative), { force: true })
  }

  /** Removes the directories that were made and are empty again. */
  async removeEmptied(): Promise<void> {
    for (const directory of this.#made.toReversed()) {
      try {
        await rmdir(path.join(this.#base, directory))
      } catch (error) {
        // Somebody else has something in it, or has removed it.
        if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? ''))
          throw error
        continue
      }
      this.#made.splice(this.#made.indexOf(directory), 1)
    }
  }

  async #makeDirectories(relative: string): Promise<void> {
    const parts = path.posix
      .dirname(relative)
      .split('/')
      .filter((part) => part !== '.')
    for (const [index] of parts.entries()) {
      const directory = parts.slice(0, index + 1).join('/')
      const full = path.join(this.#base, directory)
      if (existsSync(full)) continue
      await mkdir(full)
      if (!this.#made.includes(directory)) this.#made.push(directory)
    }
  }

  /** The file that a path means, links followed. In a project it must lie within. */
  #resolved(relative: string): string {
    const file = path.join(this.#base, relative)
    let there = file
    while (!existsSync(there)) there = path.dirname(there)
    const real = path.join(realpathSync(there), path.relative(there, file))
    const away = path.relative(this.#base, real)
    if (this.#scope === 'project' && (away.startsWith('..') || path.isAbsolute(away))) {
      throw new SkillsError('outside', `${relative} leads out of the project, to ${real}`, {
        hint: 'replace the link by a file or folder of the project, or install without --project',
      })
    }
    return real
  }
}
