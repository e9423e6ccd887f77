import type { Heading, RootContent } from 'mdast'
import { digestOf } from '../digest.js'
import { field, fieldsIn } from '../markdown/fields.js'
import { splitAt, type Part, type SectionPart } from '../markdown/parts.js'
import { positionOf, textOf } from '../markdown/read.js'
import { referencesIn } from '../markdown/references.js'
import type { PlanScenario } from '../plan.js'
import type { Text } from '../position.js'
import { parseArms } from './arms.js'
import { parseBudgets } from './budgets.js'
import { parseModelBlock } from './model-block.js'

const title = /^(?:Scenario\s+)?([A-Z]{1,4}\d+[a-z]?)\s*[:.–—-]\s*(.+)$/s

/**
 * Section 7: one scenario for each heading `### S3: linearizable_append_under_partition`, with labelled fields, and
 * with `7.M` and `7.M.S` below it. `source` is the whole document.
 */
export function parseScenarios(section: SectionPart | undefined, source: string): PlanScenario[] {
  if (section === undefined) return []
  const { parts } = splitAt(section.blocks, (heading) => title.test(textOf(heading)))
  return parts.map((part) => parseScenario(part, source))
}

function parseScenario(part: Part, source: string): PlanScenario {
  const [, id = '', name = ''] = title.exec(part.title) ?? []
  const { before, parts: blocks } = splitAt(separated(part.blocks), (heading) => blockOf(heading) !== null)
  const block = (wanted: 'model' | 'arms') => blocks.find(({ heading }) => blockOf(heading) === wanted)
  const fields = fieldsIn(before)
  return {
    at: positionOf(part.heading),
    id,
    name: name.trim(),
    falsifies: referencesIn(field(fields, 'falsifies')),
    closes: referencesIn(field(fields, 'closes')),
    technique: field(fields, 'technique'),
    workload: field(fields, 'workload'),
    faults: field(fields, 'faults', 'fault', 'nemesis'),
    oracle: field(fields, 'oracle'),
    observability: field(fields, 'observability'),
    exitCriteria: field(fields, 'exit criteria', 'exit criterion'),
    budgets: parseBudgets(before, field(fields, 'budgets', 'budget')),
    target: unquoted(field(fields, 'target test file', 'target')),
    language: field(fields, 'skeleton language', 'language'),
    skeleton: skeletonOf(part.blocks),
    model: parseModelBlock(block('model')),
    arms: parseArms(block('arms')),
    digest: digestOf(sourceOf(part, source)),
  }
}

function blockOf(heading: Heading): 'model' | 'arms' | null {
  const text = textOf(heading)
  if (/^§?\s*7\.M\.S\b/.test(text)) return 'arms'
  return /^§?\s*7\.M\b/.test(text) ? 'model' : null
}

/** A paragraph that is only a block's name stands for its heading: plans are also written that way. */
function separated(blocks: readonly RootContent[]): RootContent[] {
  return blocks.map((block) =>
    block.type === 'paragraph' && /^§?\s*7\.M(\.S)?\b[^\n]*$/.test(textOf(block))
      ? { type: 'heading', depth: 4, children: block.children, position: block.position }
      : block,
  )
}

/** The last block of code: the ones before it may illustrate a field. */
function skeletonOf(blocks: readonly RootContent[]): Text | null {
  const code = blocks.findLast((block) => block.type === 'code')
  return code === undefined ? null : { text: code.value, at: positionOf(code) }
}

function unquoted(text: Text | null): Text | null {
  return text === null ? null : { ...text, text: text.text.replaceAll(/^`|`$/g, '') }
}

function sourceOf({ heading, blocks }: Part, source: string): string {
  const last = blocks.at(-1) ?? heading
  return source.slice(heading.position?.start.offset, last.position?.end.offset)
}
