import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { renameImports } from '../../../plugin/vitest/static-discovery.js'

const parse = (code: string) => parseSync('file.js', code).program
const renamed = async (code: string) => (await renameImports(code, { id: 'file.ts', parse }))?.code ?? null

describe('renameImports', () => {
  it('renames what is imported and keeps the local name', async () => {
    expect(await renamed("import { claim, scenario } from 'vitest-nemesis'")).toBe(
      "import { claim, scenarioTest as scenario } from 'vitest-nemesis'",
    )
  })

  it('keeps an alias', async () => {
    expect(await renamed("import { scenario as s } from 'vitest-nemesis'")).toBe(
      "import { scenarioTest as s } from 'vitest-nemesis'",
    )
  })

  it('leaves lines where they are and maps positions back', async () => {
    const code = "import {\n  scenario,\n} from 'vitest-nemesis'\n\nscenario('a', {})\n"
    const result = await renameImports(code, { id: 'file.ts', parse })
    expect(result?.code.split('\n')).toHaveLength(code.split('\n').length)
    expect(result?.map.sourcesContent).toEqual([code])
  })

  it.each([
    ['other modules', "import { scenario } from './own.js' // vitest-nemesis"],
    ['other names', "import { claim } from 'vitest-nemesis'"],
    ['default and namespace imports', "import all, * as nemesis from 'vitest-nemesis'"],
    ['sub-paths', "import { scenario } from 'vitest-nemesis/plugin'"],
    ['files that never mention the package', "import { scenario } from 'elsewhere'"],
  ])('leaves %s alone', async (_, code) => {
    expect(await renamed(code)).toBeNull()
  })
})
