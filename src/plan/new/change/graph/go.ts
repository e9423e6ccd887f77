import { baseOf, folderOf } from '../../../../environment/toolbox/tool.js'
import type { ProjectIndex, References } from './references.js'

const group = /^import\s*\(([^)]*)\)/gm
const single = /^import[ \t]+(?:[\w.]+[ \t]+)?"([^"\n]+)"/gm

/** Imports of packages of the project's own modules, and the files of the same package. */
export function goReferences({ files, texts }: ProjectIndex): References {
  const modules = [...texts]
    .filter(([file]) => baseOf(file) === 'go.mod')
    .map(([file, text]) => ({ path: /^module\s+(\S+)/m.exec(text)?.[1] ?? '', folder: folderOf(file) }))
    .filter(({ path }) => path !== '')
    .toSorted((one, other) => other.path.length - one.path.length)
  const packages = new Map<string, string[]>()
  for (const file of files) {
    if (!file.endsWith('.go') || file.endsWith('_test.go')) continue
    packages.set(folderOf(file), [...(packages.get(folderOf(file)) ?? []), file])
  }
  const filesOf = (path: string): string[] => {
    const module = modules.find((one) => path === one.path || path.startsWith(`${one.path}/`))
    if (module === undefined) return []
    const within = path.slice(module.path.length + 1)
    return packages.get([module.folder, within].filter((part) => part !== '').join('/')) ?? []
  }
  return (file, text) => [
    ...(packages.get(folderOf(file)) ?? []).filter((one) => one !== file),
    ...pathsIn(text).flatMap(filesOf),
  ]
}

function pathsIn(text: string): string[] {
  const grouped = [...text.matchAll(group)].flatMap(([, body = '']) =>
    [...body.matchAll(/"([^"\n]+)"/g)].map(([, path = '']) => path),
  )
  return [...grouped, ...[...text.matchAll(single)].map(([, path = '']) => path)]
}
