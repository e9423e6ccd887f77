import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take minutes, the longest first: one that began last would keep the others' workers idle. */
const long = [
  'test/system/faults-table.test.ts',
  'test/system/kill-nine.test.ts',
  'test/examples/seeded-bugs.test.ts',
  'test/system/vitest-interruption.test.ts',
  'test/system/cluster-faults.test.ts',
  'test/system/guardian-systems.test.ts',
  'test/system/reduce-and-replay.test.ts',
  'test/system/vitest-arms.test.ts',
  'test/system/torture.test.ts',
  'test/plan/author/generated.test.ts',
  'test/system/vitest-verdicts.test.ts',
  'test/docs/examples.test.ts',
]

/** Lets the files that take minutes begin before all others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const index = long.findIndex((name) => moduleId.endsWith(name))
      return index === -1 ? long.length : index
    }
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}
