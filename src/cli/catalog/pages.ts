import { techniques } from '../../catalog/techniques/index.js'
import { renderMarkdown, type Block } from '../../findings/render/markdown.js'
import { boundariesPage } from './pages/boundaries.js'
import { faultsPage } from './pages/faults.js'
import { oraclesPage } from './pages/oracles.js'
import { overviewPage } from './pages/overview.js'
import { pitfallsPage } from './pages/pitfalls.js'
import { techniquePage } from './pages/technique.js'

/** The pages of `docs/catalog/`, by the names of their files. */
export function catalogPages(): ReadonlyMap<string, string> {
  const pages: readonly (readonly [file: string, blocks: readonly Block[]])[] = [
    ['README.md', overviewPage()],
    ...Object.values(techniques).map(
      (technique) => [`${technique.id}.md`, techniquePage(technique)] as const,
    ),
    ['pitfalls.md', pitfallsPage()],
    ['oracle-patterns.md', oraclesPage()],
    ['faults.md', faultsPage()],
    ['boundaries.md', boundariesPage()],
  ]
  return new Map(pages.map(([file, blocks]) => [file, renderMarkdown(blocks)]))
}
