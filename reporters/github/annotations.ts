import type { ScenarioRecord } from '../../src/session/record.js'
import { regressionOf } from '../../src/verdict/regression.js'

/**
 * Workflow commands by which GitHub Actions shows scenarios that earned no pass at the place of their declaration: an
 * error for a violation, a warning for everything that settled nothing. Paths are relative to the repository when
 * `within` names the project's folder in it.
 */
export function annotationsOf(scenarios: readonly ScenarioRecord[], within: string): string[] {
  return scenarios.flatMap((record) => {
    const level = levelOf(record)
    if (level === null) return []
    const { id, name, ruling } = record
    const properties = [...placeOf(record, within), `title=${property(`${id} ${name}: ${ruling.verdict}`)}`]
    return [`::${level} ${properties.join(',')}::${data(ruling.reason)}`]
  })
}

function levelOf({ ruling: { verdict }, regression }: ScenarioRecord): 'error' | 'warning' | 'notice' | null {
  if (verdict.startsWith('PASS-')) return null
  if (!verdict.startsWith('FAIL-')) return 'warning'
  return regressionOf(regression, verdict) === 'expected' ? 'notice' : 'error'
}

function placeOf({ location }: ScenarioRecord, within: string): string[] {
  if (location === null) return []
  const [file = '', line] = location.split(':')
  const path = within === '' ? file : `${within}/${file}`
  return [`file=${property(path)}`, ...(line === undefined ? [] : [`line=${line}`])]
}

// The escapes that the runner of GitHub Actions undoes; anything else would end the command.

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
