import type { Heading, Root, RootContent } from 'mdast'
import { sectionIds, type SectionId } from '../sections.js'
import { textOf } from './read.js'

/** A heading and the blocks below it, until the next heading that begins a part. */
export interface Part {
  readonly heading: Heading
  readonly title: string
  readonly blocks: readonly RootContent[]
}

export interface SectionPart extends Part {
  readonly id: SectionId
}

const numbered = /^§?\s*(\d[a-z]?)(?:[.:)]?\s+|[.:)]?$|\s*[-–—:]\s*)(.*)$/s

/** The numbered sections, `## 7b. Coverage adequacy argument`, and what stands before the first of them. */
export function splitSections(root: Root): {
  preamble: readonly RootContent[]
  sections: readonly SectionPart[]
} {
  const parts = splitAt(root.children, (heading) => sectionOf(heading) !== null)
  const sections = parts.parts.flatMap((part) => {
    const section = sectionOf(part.heading)
    return section === null ? [] : [{ ...part, ...section }]
  })
  return { preamble: parts.before, sections }
}

/** A section with a letter may stand one level below that of its number: `### 7b. …` below `## 7. …`. */
function sectionOf(heading: Heading): { id: SectionId; title: string } | null {
  const match = numbered.exec(textOf(heading))
  const id = sectionIds.find((known) => known === match?.[1])
  if (match === null || id === undefined || heading.depth > (id.length > 1 ? 3 : 2)) return null
  return { id, title: (match[2] ?? '').trim() }
}

/** Cuts blocks before every heading that begins a part. */
export function splitAt(
  blocks: readonly RootContent[],
  begins: (heading: Heading) => boolean,
): { before: readonly RootContent[]; parts: readonly Part[] } {
  const before: RootContent[] = []
  const parts: { heading: Heading; title: string; blocks: RootContent[] }[] = []
  for (const block of blocks) {
    if (block.type === 'heading' && begins(block)) {
      parts.push({ heading: block, title: textOf(block), blocks: [] })
    } else {
      ;(parts.at(-1)?.blocks ?? before).push(block)
    }
  }
  return { before, parts }
}
