import type { ScenarioRecord } from '../../../session/record.js'
import type { Audit } from '../../../verdict/audits/audit.js'
import { folded, heading, paragraph, table, type Block, type Content } from '../markdown.js'
import { count } from '../words.js'

/**
 * The ten red flags and the fourteen weak oracles of every scenario that ran, each with its evidence: in sight those that
 * are unmet, the others folded.
 */
export function audits(scenarios: readonly ScenarioRecord[]): Block[] {
  const audited = scenarios.filter((record) => record.audits.length > 0)
  if (audited.length === 0) return [paragraph('No scenario ran, so none was audited.')]
  return audited.flatMap(({ id, audits: all }) => {
    const unmet = all.filter(({ result }) => result === 'unmet')
    const others = all.filter(({ result }) => result !== 'unmet')
    const met = others.filter(({ result }) => result === 'met').length
    const waived = unmet.filter(({ waiver }) => waiver !== null)
    return [
      heading(
        3,
        `${id}: ${met} met, ${unmet.length} unmet, ${others.length - met} not applicable` +
          (waived.length === 0 ? '' : `, ${count(waived.length, 'waiver')}`),
      ),
      ...(unmet.length === 0 ? [] : [checks(unmet)]),
      ...(others.length === 0
        ? []
        : folded(`${met} met, ${others.length - met} not applicable`, [checks(others)])),
    ]
  })
}

function checks(all: readonly Audit[]): Block {
  return table(['Check', 'Result', 'Evidence'], all.map(row))
}

function row({ group, number, name, result, blocks, waiver, evidence }: Audit): Content[] {
  const code = `${group === 'red-flag' ? 'R' : 'W'}${number}`
  return [`${code} ${name}`, resultInWords({ result, blocks, waiver }), evidence.join('; ')]
}

function resultInWords({ result, blocks, waiver }: Pick<Audit, 'result' | 'blocks' | 'waiver'>): string {
  if (result === 'not-applicable') return 'not applicable'
  if (result === 'met') return 'met'
  if (waiver !== null) return `unmet, waived: ${waiver}`
  return blocks === 'PASS' ? 'unmet: rules out a pass' : 'unmet: rules out PASS-hardening'
}
