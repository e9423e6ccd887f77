import { afterEach, describe, expect, it } from 'vitest'
import { isAvailable, versions, VitestProject } from './support/vitest-project.js'

describe.each(versions)('$name', (version) => {
  describe.skipIf(!isAvailable(version))(
    `arms of scenarios (else: ${version.setUp})`,
    { timeout: 600_000 },
    () => {
      let project: VitestProject
      afterEach(() => project.remove())

      it('are tests of their own with verdicts of their own, and count as a whole', async () => {
        project = new VitestProject(version, 'arms')
        const { code, stdout } = await project.run(['run'])
        expect(code).toBe(1)
        expect(project.verdicts(project.sessions()[0] ?? '')).toEqual({
          'a_body_runs_in_each_arm > api': 'PASS-smoke',
          'a_body_runs_in_each_arm > export': 'PASS-smoke',
          'both_hold > api': 'PASS-smoke',
          'both_hold > export': 'PASS-smoke',
          'each_x > api': 'PASS-smoke',
          'each_y > api': 'PASS-smoke',
          'every_question_counts > api': 'PASS-smoke',
          'every_question_counts > export': 'FAIL-reproducible',
          'is_skipped > api': 'NOT-RUN',
          'is_skipped > export': 'NOT-RUN',
        })
        expect(stdout).toContain('nemesis  PASS-smoke  every_question_counts > api')
        expect(stdout).toContain('nemesis  FAIL-reproducible  every_question_counts > export')
        expect(stdout).toContain(
          'nemesis  FAIL-reproducible  every_question_counts  S1, all arms: An arm failed: api PASS-smoke, export FAIL-reproducible.',
        )
        expect(stdout).toContain('nemesis  PASS-smoke  both_hold  S2, all arms: 2 arms passed')
        expect(stdout).toContain('nemesis  NOT-RUN  is_skipped  S3, all arms')
        expect(stdout).toContain('session FAIL  4 PASS-smoke, 1 FAIL-reproducible, 1 NOT-RUN')
        expect(project.read('arms.log').split('\n').toSorted()).toEqual(['', 'api', 'export'])
      })

      it('are found by a pattern, and what the pattern leaves out is no complaint', async () => {
        project = new VitestProject(version, 'arms')
        const { code, stdout } = await project.run([
          'run',
          '-t',
          'every_question_counts > api',
          '--reporter=verbose',
        ])
        expect(code).toBe(0)
        expect(stdout).toMatch(/Tests {2}1 passed \| 9 skipped/)
        expect(stdout).toContain('every_question_counts > api')
        expect(stdout).toContain(
          'nemesis  PARTIAL-surface  every_question_counts  S1, all arms: 1 of 2 arms passed',
        )
        expect(stdout).not.toContain('both_hold  S2')
      })

      it('are listed, and their scenario is seen before a first run', async () => {
        project = new VitestProject(version, 'arms')
        const { stdout: listed } = await project.run(['list'])
        // Vitest 5 lists without running the file, Vitest 4 runs it and has the arms.
        expect(listed).toContain('arms.scenario.ts > every_question_counts')
        const { stdout: parsed } = await project.run(['list', '--static-parse'])
        expect(parsed).toContain('arms.scenario.ts > every_question_counts')
      })

      it('are asked for at collection', async () => {
        project = new VitestProject(version, 'misdeclared')
        const { code, stdout, stderr } = await project.run(['run', 'boundary'])
        expect(code).toBe(1)
        expect(stdout + stderr).toMatch(
          /scenario\('has_one_surface'\): C2 is about boundary, and the scenario has no arms/,
        )
        expect(project.sessions()).toEqual([])
      })
    },
  )
})
