import type { Heading, RootContent } from 'mdast'
import { digestOf } from '../digest.js'
import { field, fieldsIn } from '../markdown/fields.js'
import { splitAt, type Part, type SectionPart } from '../markdown/parts.js'
import { locatedText, positionOf, textOf } from '../markdown/read.js'
import { referencesIn } from '../markdown/references.js'
import type { PlanScenario } from '../plan.js'
import type { Text } from '../position.js'
import { parseArms } from './arms.js'
import { parseBudgets } from './budgets.js'
import { parseModelBlock } from './model-block.js'

const title = /^(?:Scenario\s+)?(?:([A-Z]{1,4}\d+[a-z]?)\s*[:.–—-]\s*|(S\d+[a-z]?)\s+)(.+)$/s
const deepest = 3

/**
 * Section 7: one scenario for each heading `### S3: linearizable_append_under_partition`, with labelled fields, and
 * with `7.M` and `7.M.S` below it. A heading of its own kind without an id ends it.
 */
export function parseScenarios(section: SectionPart | undefined): {
  readonly scenarios: readonly PlanScenario[]
  readonly unnumbered: readonly Text[]
} {
  const { parts } = splitAt(section?.blocks ?? [], begins)
  const [numbered, others] = [true, false].map((is) => parts.filter((part) => title.test(part.title) === is))
  return {
    scenarios: (numbered ?? []).map(parseScenario),
    unnumbered: (others ?? []).flatMap((part) => (isScenario(part) ? (locatedText(part.heading) ?? []) : [])),
  }
}

function begins(heading: Heading): boolean {
  return title.test(textOf(heading)) || (heading.depth <= deepest && blockOf(heading) === null)
}

function isScenario({ blocks }: Part): boolean {
  return field(fieldsIn(blocks), 'falsifies', 'exit criteria') !== null
}

function parseScenario(part: Part): PlanScenario {
  const [, labelled, plain, name = ''] = title.exec(part.title) ?? []
  const { before, parts: blocks } = splitAt(separated(part.blocks), (heading) => blockOf(heading) !== null)
  const block = (wanted: 'model' | 'arms') => blocks.find(({ heading }) => blockOf(heading) === wanted)
  const fields = fieldsIn(before)
  return {
    at: positionOf(part.heading),
    id: labelled ?? plain ?? '',
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
    target: pathIn(field(fields, 'target test file', 'target')),
    language: field(fields, 'skeleton language', 'language'),
    skeleton: skeletonOf(part.blocks),
    model: parseModelBlock(block('model')),
    arms: parseArms(block('arms')),
    digest: digestOf([part.heading, ...part.blocks].map(plainly).join(' ').replaceAll(/\s+/g, ' ')),
  }
}

/** What a block says, without what formatters of documents and of the code in them decide upon. */
function plainly(block: RootContent): string {
  return block.type === 'code' ? block.value.replaceAll(/[\s'"`;,]+/g, '') : textOf(block)
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

/** A path alone: a remark in brackets behind it is none of it. */
function pathIn(text: Text | null): Text | null {
  return text === null ? null : { ...text, text: text.text.replace(/\s+\([^()]*\)$/, '') }
}
