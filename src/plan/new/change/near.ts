import type { TestCase } from '../../../environment/toolbox/inventory/test-case.js'
import { baseOf, folderOf } from '../../../environment/toolbox/tool.js'
import type { Dependent } from './graph/dependents.js'

/** The tests near a change: in files that changed or use what changed, or that lie next to it and are named after it. */
export function testsNear(
  tests: readonly TestCase[],
  { changed, dependents }: { readonly changed: readonly string[]; readonly dependents: readonly Dependent[] },
): TestCase[] {
  const reached = new Set([...changed, ...dependents.map(({ file }) => file)])
  const stems = new Set(changed.map((file) => `${folderOf(file)}/${stem(file)}`))
  return tests.filter(({ file }) => reached.has(file) || stems.has(`${folderOf(file)}/${stem(file)}`))
}

/** `wal` of `wal.go`, `wal_test.go` and `wal.test.ts`. */
function stem(file: string): string {
  return baseOf(file)
    .replace(/\.(?:test|spec|scenario)(?=\.)/, '')
    .replace(/^test_|_tests?(?=\.)/, '')
    .replace(/\.\w+$/, '')
}
