import type { LintFinding } from './lint.js'
import { toFill } from './lint.js'
import { rules } from './rules.js'

const schema = 'https://json.schemastore.org/sarif-2.1.0.json'

/** The findings as a SARIF 2.1.0 log, which code scanning shows as annotations. `uri` is the plan's path in the repository. */
export function sarifOf(findings: readonly LintFinding[], uri: string, version: string) {
  return {
    $schema: schema,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'vitest-nemesis',
            version,
            rules: [
              ...rules.map(({ code, asks }) => ({ id: code, shortDescription: { text: asks } })),
              { id: toFill, shortDescription: { text: 'every place is filled' } },
            ],
          },
        },
        results: findings.map(({ code, at, reason, fix }) => ({
          ruleId: code,
          level: code === toFill ? 'note' : 'error',
          message: { text: code === toFill ? `To be filled: ${reason}` : `${reason}. ${fix}.` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri },
                region: { startLine: at.line, startColumn: at.column },
              },
            },
          ],
        })),
      },
    ],
  }
}
