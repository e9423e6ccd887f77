import { afterEach, describe, expect, it } from 'vitest'
import { isAvailable, versions, VitestProject } from './support/vitest-project.js'

interface Span {
  readonly file: string
  readonly from: number
  readonly to: number
}

function spansOf(project: VitestProject): Span[] {
  const lines = project.read('spans.ndjson').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Span)
}

const overlap = (one: Span, other: Span) => one.from < other.to && other.from < one.to

function expectNoOverlap(spans: readonly Span[]): void {
  for (const one of spans) {
    for (const other of spans) if (one !== other) expect(overlap(one, other)).toBe(false)
  }
}

describe.each(versions)('$name', (version) => {
  describe.skipIf(!isAvailable(version))(
    `turns of scenario files (else: ${version.setUp})`,
    { timeout: 600_000 },
    () => {
      let project: VitestProject
      afterEach(() => project.remove())

      it('runs one scenario file at a time, beside ordinary tests', async () => {
        project = new VitestProject(version, 'turns')
        const { code } = await project.run(['run', '--maxWorkers=3'], { BESIDE: 'ordinary' })
        expect(code).toBe(0)
        const spans = spansOf(project)
        const scenarios = spans.filter(({ file }) => file !== 'ordinary')
        const ordinary = spans.filter(({ file }) => file === 'ordinary')
        expect(scenarios).toHaveLength(4)
        expectNoOverlap(scenarios)
        const files = scenarios.toSorted((one, other) => one.from - other.from).map(({ file }) => file)
        expect([
          ['a', 'a', 'b', 'b'],
          ['b', 'b', 'a', 'a'],
        ]).toContainEqual(files)
        expect(scenarios.some((scenario) => ordinary.some((test) => overlap(scenario, test)))).toBe(true)
      })

      it('does so across projects, with one session for all', async () => {
        project = new VitestProject(version, 'turns')
        const { code } = await project.run(['run', '--config=projects.config.ts', '--maxWorkers=3'])
        expect(code).toBe(0)
        expect(spansOf(project)).toHaveLength(4)
        expectNoOverlap(spansOf(project))
        expect(project.sessions()).toHaveLength(1)
      })

      it('runs a scenario file once when several projects share a folder', async () => {
        project = new VitestProject(version, 'turns')
        const { code } = await project.run(['run', 'scenario', '--config=sibling.config.ts'])
        expect(code).toBe(0)
        expect(spansOf(project)).toHaveLength(4)
      })

      it.each(['--pool=threads', '--pool=vmThreads', '--no-isolate'])('does so with %s', async (option) => {
        project = new VitestProject(version, 'turns')
        const { code } = await project.run(['run', 'scenario', '--maxWorkers=2', option])
        expect(code).toBe(0)
        expect(spansOf(project)).toHaveLength(4)
        expectNoOverlap(spansOf(project))
      })
    },
  )
})
