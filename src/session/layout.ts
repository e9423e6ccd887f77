import { join } from 'node:path'
import { safeName } from './names.js'

/** Where everything of a session is. */
export interface SessionLayout {
  readonly log: string
  readonly logs: string
  readonly metrics: string
  readonly artifacts: string
  readonly findings: string
  /** What is known of the session as a whole. */
  readonly info: string
  /** The plan document as it was at the start. */
  readonly plan: string
  readonly reportMarkdown: string
  readonly reportJson: string
  readonly reportHtml: string
  record(scenario: string): string
  finding(scenario: string): string
}

/** The paths inside a session directory; touches nothing. */
export function sessionLayout(directory: string): SessionLayout {
  const artifacts = join(directory, 'artifacts')
  const findings = join(directory, 'findings')
  return {
    log: join(directory, 'session-log.md'),
    logs: join(directory, 'logs'),
    metrics: join(directory, 'metrics'),
    artifacts,
    findings,
    info: join(artifacts, 'session.json'),
    plan: join(artifacts, 'plan.md'),
    reportMarkdown: join(findings, 'report.md'),
    reportJson: join(findings, 'report.json'),
    reportHtml: join(findings, 'report.html'),
    record: (scenario) => join(artifacts, safeName(scenario), 'record.json'),
    finding: (scenario) => join(findings, `${safeName(scenario)}.md`),
  }
}
