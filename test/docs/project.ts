import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { root } from '../repo/sources.js'
import { temporaryDirectory } from '../support/temporary.js'
import type { Block } from './blocks.js'

const stubs = fileURLToPath(new URL('stubs', import.meta.url))
const installed = ['vitest', 'typescript', 'fast-check', '@types/node']

/** A project as a reader has it who has followed a document, with this package installed. */
export class DocumentProject {
  readonly directory: string

  private constructor(directory: string) {
    this.directory = directory
  }

  /** Makes an empty project, removed when the running test is over. */
  static async create(): Promise<DocumentProject> {
    const directory = await temporaryDirectory()
    await mkdir(join(directory, 'node_modules/@types'), { recursive: true })
    await symlink(root, join(directory, 'node_modules/vitest-nemesis'))
    for (const name of installed) {
      await symlink(join(root, 'node_modules', name), join(directory, 'node_modules', name))
    }
    const manifest = { name: 'reader', private: true, type: 'module' }
    await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
    return new DocumentProject(directory)
  }

  /** Writes the file of a block; a later one of the same path replaces it, as the document's reader would. */
  async add(block: Block, below = ''): Promise<void> {
    if (block.path === null) throw new Error(`${block.document}:${block.line} is no whole file`)
    const file = join(this.directory, below, block.path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, block.text)
  }

  /** Adds what documents leave to the reader, such as the client of the reader's own system. */
  async addStubs(below: string): Promise<void> {
    await cp(stubs, join(this.directory, below), { recursive: true })
  }

  /** Runs Vitest and resolves to its exit code and everything that it printed. */
  async vitest(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
    const file = join(this.directory, 'node_modules/vitest/vitest.mjs')
    const { exitCode, all } = await execa(process.execPath, [file, 'run', ...args], {
      cwd: this.directory,
      env: { CI: '', NO_COLOR: '1', GITHUB_ACTIONS: '', NEMESIS_TIER: '', VITEST: undefined, ...env },
      all: true,
      reject: false,
      timeout: 150_000,
    })
    return { code: exitCode, output: all }
  }

  /** Type-checks everything with strict options. Resolves to the compiler's complaints, a line each. */
  async complaints(): Promise<readonly string[]> {
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      skipLibCheck: true,
      noEmit: true,
    }
    const config = { compilerOptions, include: ['**/*.ts'] }
    await writeFile(join(this.directory, 'tsconfig.json'), JSON.stringify(config))
    const { all, exitCode } = await execa('npx', ['tsc', '-p', this.directory, '--pretty', 'false'], {
      cwd: root,
      all: true,
      reject: false,
      timeout: 120_000,
    })
    if (exitCode !== 0 && all === '') return [`tsc ended with ${exitCode}`]
    return all.split('\n').filter((line) => line !== '')
  }
}
