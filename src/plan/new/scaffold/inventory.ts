import type { TestCase } from '../../../environment/toolbox/inventory/test-case.js'
import type { Findings } from '../findings.js'
import { bullets, shortened, table } from './text.js'

const mostTests = 60
const mostFiles = 120
const mostTools = 60
const mostParts = 40

/** Section 3: the toolbox, the tests that are there, and where none were found. */
export function inventorySection({ toolbox, tests, untested, truncated }: Findings): string {
  const shown = tests.length <= mostTests ? tests.map(rowOf) : byFile(tests)
  return [
    tests.length === 0 ? 'No test was found.' : `${tests.length} tests were found, by how they are written.`,
    ...(tests.length === 0
      ? []
      : [table(['Framework', 'File', 'Name', 'Subsystem'], shown.slice(0, mostFiles))]),
    ...(shown.length > mostFiles ? [`And ${shown.length - mostFiles} more files.`] : []),
    '### Gaps by subsystem',
    gaps(tests, untested),
    '### Toolbox',
    toolbox.length === 0
      ? 'Nothing was found.'
      : table(
          ['Kind', 'Name', 'Command', 'File'],
          toolbox
            .slice(0, mostTools)
            .map(({ kind, name, command, file }) => [kind, name, command ?? '', file]),
        ),
    ...(toolbox.length > mostTools ? [`And ${toolbox.length - mostTools} more.`] : []),
    ...(truncated ? ['The repository is larger than what was read of it.'] : []),
  ].join('\n\n')
}

function rowOf({ framework, file, line, name, subsystem }: TestCase): string[] {
  return [framework, `${file}:${line}`, name, subsystem]
}

function byFile(tests: readonly TestCase[]): string[][] {
  return [...groupedBy(tests, ({ file }) => file)].map(([file, own]) => [
    own[0]?.framework ?? '',
    file,
    `${own.length} tests: ${shortened(
      own.map(({ name }) => name),
      2,
    )}`,
    own[0]?.subsystem ?? '',
  ])
}

/** Words in names and paths of tests that something is made to fail. */
const faults =
  /fault|fail|kill|crash|partition|chaos|robust|restart|recover|drop|black_?hole|slow|timeout|network_/i

function gaps(tests: readonly TestCase[], untested: readonly string[]): string {
  const parts = [...groupedBy(tests, ({ subsystem }) => subsystem)]
  const rows = parts
    .slice(0, mostParts)
    .map(([part, own]) => [
      part,
      String(own.length),
      String(own.filter(({ file, name }) => faults.test(file) || faults.test(name)).length),
    ])
  return [
    ...(rows.length === 0 ? [] : [table(['Subsystem', 'Tests', 'Whose names speak of failures'], rows), '']),
    untested.length === 0
      ? 'No part of the code is without a test that was found.'
      : `Parts in which no test was found:\n\n${bullets(untested.slice(0, mostParts))}`,
  ].join('\n')
}

function groupedBy(tests: readonly TestCase[], key: (test: TestCase) => string): Map<string, TestCase[]> {
  const groups = new Map<string, TestCase[]>()
  for (const test of tests) {
    const group = groups.get(key(test))
    if (group === undefined) groups.set(key(test), [test])
    else group.push(test)
  }
  return groups
}
