import { afterEach, describe, expect, it } from 'vitest'
import { isAvailable, versions, VitestProject } from './support/vitest-project.js'

const visible = ['adds', 'answers_every_question', 'loses_a_question', 'needs_what_is_not_here', 'greets']

describe.each(versions)('$name', (version) => {
  describe.skipIf(!isAvailable(version))(
    `discovery of scenarios (else: ${version.setUp})`,
    { timeout: 600_000 },
    () => {
      let project: VitestProject
      afterEach(() => project.remove())

      it('lists scenarios with and without running the files', async () => {
        project = new VitestProject(version, 'verdicts')
        for (const how of [[], ['--static-parse']]) {
          const { code, stdout } = await project.run(['list', ...how])
          expect(code).toBe(0)
          for (const name of visible) expect(stdout).toContain(name)
        }
        expect(project.sessions()).toEqual([])
      })

      it('gives scenarios the place of their declaration', async () => {
        project = new VitestProject(version, 'verdicts')
        const { stdout } = await project.run([
          'run',
          '-t',
          'answers_every_question',
          '--reporter=json',
          '--outputFile=out.json',
        ])
        expect(stdout).not.toContain('nemesis')
        const { testResults } = JSON.parse(project.read('out.json')) as {
          testResults: { assertionResults: { title: string; location?: { line: number } }[] }[]
        }
        const results = testResults.flatMap(({ assertionResults }) => assertionResults)
        const lineOf = (title: string) => results.find((result) => result.title === title)?.location?.line
        const source = project.read('verdicts.scenario.ts').split('\n')
        expect(source[(lineOf('answers_every_question') ?? 0) - 1]).toContain(
          "scenario('answers_every_question'",
        )
        expect(source[(lineOf('is_skipped') ?? 0) - 1]).toContain("scenario.skip('is_skipped'")
        expect(source[(lineOf('greets') ?? 0) - 1]).toContain("greetingTest('greets'")
        const [session] = project.sessions()
        const record = JSON.parse(
          project.read(
            `${session?.slice(project.directory.length + 1)}/artifacts/answers_every_question/record.json`,
          ),
        )
        expect(record).toMatchObject({ location: `verdicts.scenario.ts:${lineOf('answers_every_question')}` })
      })

      it('is what an explorer sees before a first run, with the ids of the run', async () => {
        project = new VitestProject(version, 'verdicts')
        expect((await project.node('explore.mjs')).stderr).toBe('')
        const { parsed, ran } = JSON.parse(project.read('explored.json')) as Record<
          'parsed' | 'ran',
          Record<string, string>
        >
        for (const name of ['answers_every_question', 'loses_a_question', 'is_skipped']) {
          expect(parsed).toHaveProperty(name)
          expect(parsed[name]).toBe(ran[name])
        }
      })
    },
  )
})
