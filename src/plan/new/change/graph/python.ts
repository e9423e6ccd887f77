import { folderOf } from '../../../../environment/toolbox/tool.js'
import { joined, type ProjectIndex, type References } from './references.js'

const statement =
  /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+([\w., \t]+))/gm

/** Imports of modules and packages of the project, by the root, `src/`, or relative to the file. */
export function pythonReferences({ files }: ProjectIndex): References {
  const resolve = (path: string) => [`${path}.py`, `${path}/__init__.py`].find((one) => files.has(one))
  const found = (bases: readonly string[], modules: string) => {
    const below = modules.replaceAll('.', '/')
    return bases
      .flatMap((base) => resolve([base, below].filter((part) => part !== '').join('/')) ?? [])
      .slice(0, 1)
  }
  return (file, text) =>
    [...text.matchAll(statement)].flatMap(([, dots = '', from = '', names = '', plain = '']) => {
      const up = dots === '' ? null : joined(folderOf(file), '../'.repeat(dots.length - 1))
      const bases = up === null ? ['', 'src', folderOf(file)] : [up]
      if (plain !== '')
        return plain.split(',').flatMap((one) => found(bases, one.trim().split(/\s/)[0] ?? ''))
      const imported = names
        .replaceAll(/[()]/g, '')
        .split(',')
        .map((one) => one.trim().split(/\s/)[0] ?? '')
      return [
        ...found(bases, from),
        ...imported.flatMap((one) => found(bases, from === '' ? one : `${from}.${one}`)),
      ]
    })
}
