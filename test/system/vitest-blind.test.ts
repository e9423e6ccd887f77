import { afterEach, describe, expect, it } from 'vitest'
import { isAvailable, versions, VitestProject } from './support/vitest-project.js'

describe.each(versions)('$name', (version) => {
  describe.skipIf(!isAvailable(version))(
    `oracles that would not have noticed (else: ${version.setUp})`,
    { timeout: 600_000 },
    () => {
      let project: VitestProject
      afterEach(() => project.remove())

      it('are exposed, in the terminal and in the report', async () => {
        project = new VitestProject(version, 'blind')
        const { stdout } = await project.run(['run', '--reporter=verbose'])
        const [session] = project.sessions()
        expect(project.verdicts(session ?? ''), stdout).toEqual({
          judged_by_a_blind_one: 'INCONCLUSIVE-oracle-too-weak',
          judged_by_a_half_blind_one: 'INCONCLUSIVE-oracle-too-weak',
          judged_by_one_that_sees: 'PASS-smoke',
        })
        expect(stdout).toMatch(/judged_by_a_blind_one.*blind noticed only 0 of 20 violations made of/)
        const report = project.read(/report {2}(\S+)/.exec(stdout)?.[1] ?? '')
        expect(report).toMatch(/\| S1 +\| blind +\| 0 of 20 mutants \(0%\)/)
        expect(report).toMatch(/\| S2 +\| half-blind +\| \d+ of 20 mutants/)
        expect(report).toMatch(/\| S3 +\| linearizable +\| 20 of 20 mutants \(100%\)/)
        expect(report).toContain('S2 half-blind did not notice (')
      })
    },
  )
})
