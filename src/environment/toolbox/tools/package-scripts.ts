import { folderOf, baseOf, shellWord, type Tool } from '../tool.js'
import { readManifest } from '../manifest.js'

const locks: readonly (readonly [file: string, manager: Manager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
]
type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const folderOption: Readonly<Record<Manager, string>> = {
  npm: '--prefix',
  pnpm: '--dir',
  yarn: '--cwd',
  bun: '--cwd',
}

/** The scripts of every `package.json`, run by the package manager whose lock file is there. */
export function packageScripts(files: readonly string[], texts: ReadonlyMap<string, string>): Tool[] {
  const manager = locks.find(([file]) => files.includes(file))?.[1] ?? 'npm'
  return [...texts]
    .filter(([file]) => baseOf(file) === 'package.json')
    .flatMap(([file, text]) => {
      const folder = folderOf(file)
      const run = folder === '' ? manager : `${manager} ${folderOption[manager]} ${shellWord(folder)}`
      return Object.keys(readManifest(text).scripts).map((name): Tool => ({
        kind: 'package-script',
        name,
        command: `${run} run ${shellWord(name)}`,
        file,
      }))
    })
}
