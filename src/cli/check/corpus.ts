import { dirname, join } from 'node:path'
import type { Checker } from '../../checkers/checker.js'
import { checkerNamed, checkerNames } from '../../checkers/named.js'
import { readColumns } from '../../history/read.js'
import type { Model } from '../../models/model.js'
import { modelNamed, modelNames } from '../../models/named.js'
import { exitCode, worst, type ExitCode } from './exit-code.js'
import { readIndex, type Answer, type IndexedHistory } from './index-file.js'
import { checkInput, type Limits } from './input.js'
import type { CheckRequest } from './options.js'
import { unreadableLine } from './unreadable.js'

type IndexRequest = Extract<CheckRequest, { kind: 'index' }>

/** An answer that contradicts the expected one. `unknown` contradicts nothing. */
export interface Mismatch {
  readonly checker: string
  readonly expected: Answer | readonly Answer[]
  readonly got: Answer
}

/** What came of one history. */
export interface CorpusResult {
  readonly name: string
  readonly file: string
  readonly results: Readonly<Record<string, Answer>>
  readonly mismatches: readonly Mismatch[]
  /** Expected answers that agree. */
  readonly agreeing: number
  /** Names of expected answers that ran out of time. */
  readonly undecided: readonly string[]
  /** What would be needed for the other answers and is not there, such as `checker sequential`. */
  readonly unavailable: readonly string[]
  /** Why the file cannot be read. */
  readonly error: string | null
}

/**
 * Runs a corpus and prints a line for each history and a summary on stderr.
 * Throws DeclarationError when the index itself cannot be read.
 */
export async function checkCorpus({ index, limits, json }: IndexRequest): Promise<ExitCode> {
  const results: CorpusResult[] = []
  for (const history of await readIndex(index)) {
    const result = await judgeIndexed(history, { directory: dirname(index), limits })
    results.push(result)
    if (result.error !== null) process.stderr.write(`nemesis check: ${result.error}\n`)
    process.stdout.write(`${json ? asJson(result) : asText(result)}\n`)
  }
  process.stderr.write(`${summaryOf(results)}\n`)
  const codes = results.map((result): ExitCode => {
    if (result.mismatches.length > 0) return exitCode.violation
    if (result.error !== null) return exitCode.unreadable
    return result.undecided.length > 0 ? exitCode.inconclusive : exitCode.holds
  })
  const nothingJudged = results.every(({ agreeing, mismatches }) => agreeing + mismatches.length === 0)
  const code = worst(codes, [exitCode.violation, exitCode.unreadable, exitCode.inconclusive])
  return code === exitCode.holds && nothingJudged ? exitCode.inconclusive : code
}

/** Judges one history of a corpus by every checker that its expectations name and that there is. */
export async function judgeIndexed(
  history: IndexedHistory,
  { directory, limits }: { directory: string; limits: Limits },
): Promise<CorpusResult> {
  const path = join(directory, history.file)
  const results: Record<string, Answer> = {}
  const mismatches: Mismatch[] = []
  const undecided: string[] = []
  const unavailable: string[] = []
  let agreeing = 0
  let error: string | null = null
  for (const [checker, expected] of Object.entries(history.expect ?? {})) {
    results[checker] = 'unknown'
    const lacking = missingFor(history, checker)
    if (lacking !== null) {
      unavailable.push(lacking)
      continue
    }
    try {
      const got = await answerOf(path, history, { checker, limits })
      results[checker] = got
      const acceptable = Array.isArray(expected) ? expected : [expected]
      if (acceptable.includes(got)) agreeing += 1
      else if (got === 'unknown') undecided.push(checker)
      else mismatches.push({ checker, expected, got })
    } catch (caught) {
      error = unreadableLine(path, caught)
      if (error === null) throw caught
    }
  }
  return {
    name: history.name,
    file: history.file,
    results,
    mismatches,
    agreeing,
    undecided,
    unavailable,
    error,
  }
}

async function answerOf(
  path: string,
  indexed: IndexedHistory,
  { checker, limits }: { checker: string; limits: Limits },
): Promise<Answer> {
  // A corpus may hold a history without operations on purpose: the definition decides it.
  const history = await readColumns(path, { allowEmpty: true })
  const input = checkInput(history, { model: modelOf(indexed), limits, verdictOnly: true })
  return (await checkerFor(indexed, checker).check(input)).valid
}

function checkerFor({ options = {} }: IndexedHistory, checker: string): Checker {
  const { sessionOrder, params } = options
  return checkerNamed(checker, {
    ...(sessionOrder === undefined ? {} : { sessionOrder }),
    ...(params === undefined ? {} : { params }),
  })
}

/** The model that the index names, null when there is none of that name. */
function modelOf({ model, kind, options = {} }: IndexedHistory): Model | null {
  const { init, nullRead, failed } = options
  const name = model ?? kind ?? ''
  if (!modelNames.includes(name)) return null
  return modelNamed(name, {
    ...(init === undefined ? {} : { init }),
    ...(nullRead === undefined ? {} : { nullRead }),
    ...(failed === undefined ? {} : { failed }),
  })
}

function missingFor(indexed: IndexedHistory, checker: string): string | null {
  if (!checkerNames.includes(checker)) return `checker ${checker}`
  const name = indexed.model ?? indexed.kind
  if (name === undefined) return 'a model or kind in the index'
  return modelNames.includes(name) || !checkerFor(indexed, checker).usesModel ? null : `model ${name}`
}

function asJson({ name, file, results, mismatches }: CorpusResult): string {
  return JSON.stringify({ name, file, results, mismatches })
}

function verdictOf({ mismatches, error, undecided, agreeing }: CorpusResult): string {
  if (mismatches.length > 0) return 'MISMATCH'
  if (error !== null) return 'unreadable'
  if (undecided.length > 0) return 'undecided'
  return agreeing > 0 ? 'agrees' : 'skipped'
}

function asText(result: CorpusResult): string {
  const { name, results, mismatches, unavailable } = result
  const answers = Object.entries(results).map(([checker, answer]) => `${checker} ${answer}`)
  const wrong = mismatches.map(({ checker, expected }) => `; expected ${checker} ${JSON.stringify(expected)}`)
  const skipped = unavailable.length === 0 ? '' : ` (there is no ${unavailable.join(', no ')} yet)`
  return `${verdictOf(result)}  ${name}  ${answers.join(', ')}${wrong.join('')}${skipped}`
}

function summaryOf(results: readonly CorpusResult[]): string {
  const sum = (count: (result: CorpusResult) => number) =>
    results.reduce((total, result) => total + count(result), 0)
  const unreadable = sum(({ error }) => (error === null ? 0 : 1))
  const counts = [
    `${sum(({ agreeing }) => agreeing)} answers agree`,
    `${sum(({ mismatches }) => mismatches.length)} contradict`,
    `${sum(({ undecided }) => undecided.length)} undecided in time`,
    ...(unreadable === 0 ? [] : [`${unreadable} files unreadable`]),
  ]
  const lacking = new Map<string, number>()
  for (const what of results.flatMap(({ unavailable }) => unavailable)) {
    lacking.set(what, (lacking.get(what) ?? 0) + 1)
  }
  const skipped = [...lacking].map(([what, count]) => `${what} ${count}`).join(', ')
  const notJudged = skipped === '' ? '' : `; skipped because not available: ${skipped}`
  return `${results.length} histories: ${counts.join(', ')}${notJudged}`
}
