import { confusionNotes, controlMistakes } from '../../catalog/boundaries.js'
import { faultNotes } from '../../catalog/fault-notes.js'
import { checkersOf } from '../../catalog/oracle-pattern.js'
import { oraclePatterns } from '../../catalog/oracle-patterns.js'
import { pitfalls } from '../../catalog/pitfalls/index.js'
import { searchSymptoms } from '../../catalog/search.js'
import { symptoms } from '../../catalog/symptoms.js'
import { techniques } from '../../catalog/techniques/index.js'
import { DeclarationError } from '../../errors.js'
import { heading, renderMarkdown, type Block } from '../../findings/render/markdown.js'
import { checkersAsData, checkersInWords } from './checkers.js'
import { foundAsData } from './found.js'
import { boundariesPage } from './pages/boundaries.js'
import { faultsPage } from './pages/faults.js'
import { oraclesPage } from './pages/oracles.js'
import { foundBlocks, overviewPage, techniquesBlocks } from './pages/overview.js'
import { pitfallBlocks, pitfallsPage } from './pages/pitfalls.js'
import { techniquePage } from './pages/technique.js'

/** What the command shows of a topic. */
export interface Shown {
  /** For people. */
  readonly text: () => string
  readonly data: unknown
}

const topics: Readonly<Record<string, () => Shown>> = {
  techniques: () => shown(techniquesBlocks(), Object.values(techniques)),
  pitfalls: () => shown(pitfallsPage(), pitfalls),
  oracles: () =>
    shown(
      oraclesPage(),
      oraclePatterns.map((pattern) => ({ ...pattern, checkers: checkersOf(pattern) })),
    ),
  faults: () => shown(faultsPage(), faultNotes),
  checkers: () => ({ text: checkersInWords, data: checkersAsData() }),
  boundaries: () =>
    shown(boundariesPage(), { confusable: confusionNotes, negativeControlMistakes: controlMistakes }),
}

/** The topics that have a name of their own. */
export const topicNames = Object.keys(topics)

/**
 * What a topic, the id of a technique or pitfall, or the words of a symptom stand for; an overview for nothing.
 * Throws DeclarationError with the topics when nothing fits.
 */
export function topicOf(words: readonly string[]): Shown {
  const asked = words.join(' ').trim()
  if (asked === '') return overview()
  const topic = Object.hasOwn(topics, asked) ? topics[asked] : undefined
  if (topic !== undefined) return topic()
  const technique = Object.values(techniques).find(({ id }) => id === asked)
  if (technique !== undefined) return shown(techniquePage(technique), technique)
  const pitfall = pitfalls.find(({ id }) => id === asked)
  if (pitfall !== undefined) return shown([heading(1, pitfall.title), ...pitfallBlocks(pitfall)], pitfall)
  const rows = searchSymptoms(asked)
  if (rows.length > 0) return shown(foundBlocks(rows), foundAsData(rows))
  throw new DeclarationError('catalog-topic', `the catalog has nothing about ${JSON.stringify(asked)}`, {
    hint: `ask for ${topicNames.join(', ')}, the id of a technique or pitfall, or other words of the symptom`,
  })
}

function overview(): Shown {
  return shown(overviewPage(), {
    topics: topicNames,
    techniques: Object.values(techniques).map(({ id, title, cost }) => ({ id, title, cost })),
    pitfalls: pitfalls.map(({ id, title }) => ({ id, title })),
    symptoms,
  })
}

function shown(blocks: readonly Block[], data: unknown): Shown {
  return { text: () => withoutPaths(renderMarkdown(blocks).trimEnd()), data }
}

/** Links between pages lead nowhere on a terminal: their words, which are ids as a rule, are what can be asked for. */
function withoutPaths(text: string): string {
  return text.replaceAll(/\[([^\]\n]+)\]\((?!https?:)[^()\s]+\)/g, '$1')
}
