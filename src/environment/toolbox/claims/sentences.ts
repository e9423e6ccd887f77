import { isDocument } from '../documents.js'
import { categoryOf, type ClaimProposal } from './proposal.js'

/** Words by which documents promise something about a system. */
const strong =
  /\b(?:guarantee[sd]?|exactly[- ]once|at[- ](?:least|most)[- ]once|durab(?:le|ly|ility)|atomic(?:ally|ity)?|lineari[sz]ab(?:le|ility)|seriali[sz]ab(?:le|ility)|(?:strongly |causally |eventually |sequentially )?consisten(?:t|cy)|idempotent)\b/i
const modal = /\b(?:must(?: not)?|never)\b/i

/** Sentences that tell a reader what to do say nothing about the system. */
const instruction =
  /\b(?:you|your|we(?! (?:guarantee|promise|ensure|never|always|will never))|please|contributors?|maintainers?|developers?|reviewers?|pull requests?|PRs?|commits?|licen[sc]e|install|format(?:ted|ting)?|style|documentation)\b/i

/** Documents about the project, not the system. */
const aboutProject =
  /(?:^|\/)(?:CHANGELOG|CHANGES|HISTORY|LICEN[SC]E|CONTRIBUTING|CODE_OF_CONDUCT|GOVERNANCE|MAINTAINERS|SECURITY|AGENTS|CLAUDE|ROADMAP|NOTICE|code[-_]comment[-_]style)[\w.-]*$|^\.|(?:^|\/)(?:testing-plans|test-sessions|contributor-guide|testdata|fixtures)\//i

const longest = 300
const shortest = 20

/** True for a document that may say what the system promises. */
export function mayPromise(file: string): boolean {
  return isDocument(file) && !aboutProject.test(file)
}

/** Sentences of a document that look like promises, those with telling words first. */
export function promisesIn(file: string, text: string): ClaimProposal[] {
  const sentences = sentencesOf(text).filter(
    ({ text: words }) => words.length >= shortest && words.length <= longest,
  )
  const told = sentences.filter(({ text: words }) => strong.test(words) && !instruction.test(words))
  const modals = sentences.filter(
    ({ text: words }) => !strong.test(words) && modal.test(words) && !instruction.test(words),
  )
  return [...told, ...modals].map(({ text: quote, line }) => ({
    from: 'document',
    quote,
    category: categoryOf(quote),
    file,
    line,
    telling: strong.test(quote),
  }))
}

interface Sentence {
  readonly text: string
  readonly line: number
}

/** The sentences of the paragraphs and list items; code, headings, tables and quotes of HTML are left out. */
function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = []
  let paragraph: { words: string; line: number }[] = []
  let inCode = false
  const close = () => {
    sentences.push(...split(paragraph))
    paragraph = []
  }
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (/^(?:```|~~~)/.test(line)) {
      close()
      inCode = !inCode
    } else if (inCode || line === '' || /^(?:#|\||<|=+$|-+$|\.\. )/.test(line)) {
      close()
    } else {
      if (/^(?:[-*+]|\d+[.)])\s/.test(line)) close()
      paragraph.push({ words: line.replace(/^(?:[-*+]|\d+[.)]|>)\s+/, ''), line: index + 1 })
    }
  }
  close()
  return sentences
}

function split(paragraph: readonly { words: string; line: number }[]): Sentence[] {
  const whole = paragraph.map(({ words }) => words).join(' ')
  const starts: number[] = []
  let length = 0
  for (const { words } of paragraph) {
    starts.push(length)
    length += words.length + 1
  }
  return [...whole.matchAll(/\S.*?(?:[.!?](?=\s+[A-Z`*_[]|\s*$)|$)/g)].map((match) => {
    const row = starts.findLastIndex((start) => start <= match.index)
    return { text: match[0].trim(), line: paragraph[row]?.line ?? 1 }
  })
}
