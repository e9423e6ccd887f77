import { baseOf, folderOf } from '../../../../environment/toolbox/tool.js'
import type { ProjectIndex, References } from './references.js'

const path = /\b([a-z_]\w*(?:::[a-z_]\w*)+|[a-z_]\w*(?=::))/g

/** Paths such as `crate::store::peer` and `raftstore::store`, by the crates of the workspace; the deepest module that has a file counts. */
export function rustReferences({ files, texts }: ProjectIndex): References {
  const crates = [...texts]
    .filter(([file, text]) => baseOf(file) === 'Cargo.toml' && /^\[package\]/m.test(text))
    .map(([file, text]) => ({
      name: (/^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(text)?.[1] ?? '').replaceAll('-', '_'),
      folder: folderOf(file),
    }))
    .toSorted((one, other) => other.folder.length - one.folder.length)
  const byName = new Map(crates.map(({ name, folder }) => [name, folder]))
  const homeOf = (file: string) =>
    crates.find(({ folder }) => folder === '' || file.startsWith(`${folder}/`))?.folder ?? null
  const resolve = (folder: string, modules: readonly string[]): string | null => {
    const base = folder === '' ? 'src' : `${folder}/src`
    for (let depth = modules.length; depth > 0; depth -= 1) {
      const stem = `${base}/${modules.slice(0, depth).join('/')}`
      const found = [`${stem}.rs`, `${stem}/mod.rs`].find((one) => files.has(one))
      if (found !== undefined) return found
    }
    return files.has(`${base}/lib.rs`) ? `${base}/lib.rs` : null
  }
  return (file, text) =>
    [...text.matchAll(path)].flatMap(([, whole = '']) => {
      const [first = '', ...modules] = whole.split('::')
      const folder = first === 'crate' ? homeOf(file) : byName.get(first)
      return folder === undefined || folder === null ? [] : (resolve(folder, modules) ?? [])
    })
}
