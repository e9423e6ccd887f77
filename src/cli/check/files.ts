import { checkerNamed } from '../../checkers/named.js'
import { advise } from '../../checkers/advice.js'
import { hiddenRetries } from '../../checkers/hidden-retries.js'
import type { Break, CheckResult } from '../../checkers/checker.js'
import { readColumns } from '../../history/read.js'
import { modelNamed } from '../../models/named.js'
import type { Sensitivity } from '../../sensitivity/result.js'
import { exitCode, worst, type ExitCode } from './exit-code.js'
import { checkInput } from './input.js'
import { coreOf, coreLines, type ToldCore } from './core.js'
import type { CheckRequest } from './options.js'
import { progressOf } from './progress.js'
import { isTooWeak, sensitivityLines, wouldNotice } from './sensitivity.js'
import { unreadableLine } from './unreadable.js'

type FilesRequest = Extract<CheckRequest, { kind: 'files' }>

/**
 * Checks files one by one and prints a result for each; a file that cannot be read gets one line on stderr.
 * Throws DeclarationError for a model, checker or semantics that do not exist.
 */
export async function checkFiles(request: FilesRequest): Promise<ExitCode> {
  const model = modelNamed(request.model, request.semantics)
  const checker = checkerNamed(request.checker)
  const codes: ExitCode[] = []
  for (const file of request.files) {
    try {
      const audit = request.audit === undefined ? null : await readColumns(request.audit)
      const history = await readColumns(file, { format: request.format })
      const input = checkInput(history, { model, limits: request.limits, onProgress: progressOf(file) })
      const result = await checker.check(input)
      const sensitivity = await wouldNotice(checker, input, { clean: result, mutants: request.mutants })
      const core =
        request.minimise === undefined
          ? undefined
          : await coreOf(input, { checker, result, file: request.minimise.file })
      const advice = [
        ...advise(history.columns, model),
        ...(audit === null ? [] : hiddenRetries(history.columns, audit.columns)),
      ]
      process.stdout.write(
        `${request.json ? asJson(file, result, { advice, sensitivity, core }) : asText(file, result, { sensitivity, core, semantics: request.semantics })}\n`,
      )
      if (!request.json) for (const sentence of advice) process.stderr.write(`advice: ${file}: ${sentence}\n`)
      codes.push(sensitivity !== null && isTooWeak(sensitivity) ? exitCode.inconclusive : codeOf(result))
    } catch (error) {
      const line = unreadableLine(file, error)
      if (line === null) throw error
      process.stderr.write(`nemesis check: ${line}\n`)
      codes.push(exitCode.unreadable)
    }
  }
  return worst(codes, [exitCode.unreadable, exitCode.violation, exitCode.inconclusive])
}

function codeOf({ valid }: CheckResult): ExitCode {
  if (valid === true) return exitCode.holds
  return valid === false ? exitCode.violation : exitCode.inconclusive
}

function asJson(
  file: string,
  result: CheckResult,
  {
    advice,
    sensitivity,
    core,
  }: {
    advice: readonly string[]
    sensitivity: Sensitivity | null
    core: ToldCore | null | undefined
  },
): string {
  const { valid, model, checker, operations, anomalies, scope, ms, reason, coverage, evidence } = result
  const rounded = Math.round(ms * 1_000) / 1_000
  return JSON.stringify({
    valid,
    model,
    checker,
    operations,
    anomalies,
    scope,
    ms: rounded,
    file,
    reason,
    coverage,
    evidence,
    advice,
    ...(sensitivity === null ? {} : { sensitivity }),
    ...(core === undefined ? {} : { core }),
  })
}

function asText(
  file: string,
  result: CheckResult,
  {
    sensitivity,
    core,
    semantics,
  }: {
    sensitivity: Sensitivity | null
    core: ToldCore | null | undefined
    semantics: FilesRequest['semantics']
  },
): string {
  const { valid, model, checker, operations, reason, anomalies, ms } = result
  const verdict = valid === true ? 'valid' : valid === false ? 'INVALID' : 'unknown'
  const lines = [
    `${verdict}  ${file}  ${checker}, model ${model}, ${operations} operations, ${Math.round(ms)} ms`,
  ]
  if (reason !== null) lines.push(`  ${reason}`)
  for (const { type, explanation, break: at } of anomalies) {
    lines.push(`  ${type}: ${explanation}`)
    if (at !== undefined) lines.push(...breakLines(at))
  }
  if (sensitivity !== null) lines.push(...sensitivityLines(sensitivity))
  if (core !== undefined && valid === false) lines.push(...coreLines(core, result, semantics))
  return lines.join('\n')
}

function breakLines({ brokenAt, prefix, states, pending }: Break): string[] {
  const possible = states.length === 0 ? '' : `; the state could be ${states.join(' or ')}`
  return [
    `    breaks at operation ${JSON.stringify(brokenAt)}: the ${prefix.answers} of ${prefix.of} answers before can be explained${possible}`,
    ...pending.map(({ operation, why }) => `    in flight: operation ${JSON.stringify(operation)} ${why}`),
  ]
}
