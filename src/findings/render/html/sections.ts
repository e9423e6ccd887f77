import { toString } from 'mdast-util-to-string'
import type { Block } from '../markdown.js'

/** Blocks that stand together under a heading. */
export interface Section {
  readonly title: string
  readonly blocks: readonly Block[]
}

/** A document in its parts: what stands before the first heading of level 2, and each of those with what is below it. */
export function sectionsOf(blocks: readonly Block[]): {
  readonly lead: Block[]
  readonly sections: Section[]
} {
  const lead: Block[] = []
  const sections: { title: string; blocks: Block[] }[] = []
  for (const block of blocks) {
    if (block.type === 'heading' && block.depth === 2) sections.push({ title: toString(block), blocks: [] })
    else (sections.at(-1)?.blocks ?? lead).push(block)
  }
  return { lead, sections }
}
