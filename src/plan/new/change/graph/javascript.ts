import { readManifest } from '../../../../environment/toolbox/manifest.js'
import { baseOf, folderOf } from '../../../../environment/toolbox/tool.js'
import { joined, type ProjectIndex, type References } from './references.js'

const specifier = /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*['"]([^'"\n]+)['"]/g
const endings = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mts',
  '.mjs',
  '.cjs',
  '/index.ts',
  '/index.tsx',
  '/index.js',
]

/** Relative imports, and imports of packages of the same workspace by their names: those use the package's entry file. */
export function javascriptReferences({ files, texts }: ProjectIndex): References {
  const packages = new Map(
    [...texts]
      .filter(([file]) => baseOf(file) === 'package.json')
      .map(([file, text]) => [readManifest(text).name ?? '', folderOf(file)] as const),
  )
  const resolve = (path: string): string | null => {
    const plain = path.replace(/\.[cm]?jsx?$/, '')
    return (
      [path, plain].flatMap((one) => endings.map((end) => `${one}${end}`)).find((one) => files.has(one)) ??
      null
    )
  }
  const entry = (folder: string) =>
    ['src/index', 'index', 'src/main', 'lib/index']
      .map((one) => resolve(joined(folder, one) ?? ''))
      .find(Boolean) ?? null
  return (file, text) =>
    [...text.matchAll(specifier)].flatMap(([, path = '']) => {
      if (path.startsWith('.')) {
        const target = joined(folderOf(file), path)
        return (target === null ? null : resolve(target)) ?? []
      }
      const name = path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/')
      const folder = name === '' ? undefined : packages.get(name)
      if (folder === undefined) return []
      const within = path.slice(name.length + 1)
      return (within === '' ? entry(folder) : resolve(joined(folder, within) ?? '')) ?? []
    })
}
