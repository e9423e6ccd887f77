import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Words in the name of a test that is skipped because the machine lacks something. */
const lacking = /\b(docker|redis|etcd)\b|\(needs |\(else: /i

/**
 * Prints, after everything else, what was skipped with the command that enables it, and the counts in a plain line.
 * In CI nothing may be skipped because something is not installed: the run fails then.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const inState = (state: string) => tests.filter((test) => test.result().state === state)
    const skipped = inState('skipped')
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length
    const unmet = process.env['CI'] === 'true' ? skipped.filter((test) => lacking.test(test.fullName)) : []
    for (const line of skippedLines(skipped)) process.stdout.write(`${line}\n`)
    if (unmet.length > 0) {
      process.stdout.write(`in CI these may not be skipped: ${unmet.length} tests\n`)
      process.exitCode = 1
    }
    const [passed, failed] = [inState('passed').length, inState('failed').length + broken + unmet.length]
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped.length - unmet.length} skipped\n`)
  }
}

/** A line for each group of skipped tests, whose name holds the reason and the command. */
function skippedLines(skipped: readonly TestCase[]): string[] {
  const groups = new Map<string, number>()
  for (const test of skipped) {
    const group = test.parent.type === 'suite' ? test.parent.fullName : test.fullName
    groups.set(group, (groups.get(group) ?? 0) + 1)
  }
  return [...groups].map(([group, number]) => `skipped: ${group} [${number}]`)
}
