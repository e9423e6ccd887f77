import { describe, expect, it } from 'vitest'
import { requires } from '../support/requirements.js'
import { blocksOf, documents, fileIn } from './blocks.js'
import { DocumentProject } from './project.js'

const start = 'docs/getting-started.md'
const typescript = documents.flatMap((document) =>
  blocksOf(document).filter(({ language }) => language === 'ts'),
)

describe('TypeScript in the documents', () => {
  it('consists of whole files that say their path', () => {
    expect(typescript.length).toBeGreaterThan(10)
    const fragments = typescript.filter(({ path }) => path === null)
    expect(fragments.map(({ document, line }) => `${document}:${line}`)).toEqual([])
  })

  it('compiles against the built package', { timeout: 150_000 }, async () => {
    const project = await DocumentProject.create()
    for (const document of documents) {
      await project.addStubs(document)
      await project.add(fileIn(start, 'nemesis/store.ts'), document)
    }
    for (const block of typescript) await project.add(block, block.document)
    expect(await project.complaints()).toEqual([])
  })

  it('would not compile with a name that the package does not export', { timeout: 150_000 }, async () => {
    const project = await DocumentProject.create()
    const [block] = typescript
    if (block === undefined) throw new Error('there is no block')
    await project.addStubs('')
    await project.add({ ...block, text: block.text.replaceAll('noLostAck', 'noLostAcknowledgement') })
    expect((await project.complaints()).join('\n')).toContain('noLostAcknowledgement')
  })
})

requires('linux')('examples in the documents, run', () => {
  it('getting started: a lost write, and its fix', { timeout: 300_000 }, async () => {
    const project = await DocumentProject.create()
    for (const path of ['vitest.config.ts', 'kv-server.mjs', 'nemesis/store.ts', 'nemesis/kv.scenario.ts']) {
      await project.add(fileIn(start, path))
    }
    const lossy = await project.vitest()
    expect(lossy.output).toContain('nemesis  FAIL-reproducible  acknowledged_writes_survive_a_kill')
    expect(lossy.code, lossy.output).toBe(1)

    await project.add(fileIn(start, 'kv-server.mjs', 1))
    const durable = await project.vitest()
    expect(durable.output).toContain('nemesis  PASS-smoke  acknowledged_writes_survive_a_kill')
    expect(durable.output).toMatch(/kill n1 landed \(process state running -> exited by SIGKILL/)
    expect(durable.code, durable.output).toBe(0)
  })

  const marked = typescript.filter(({ flags }) => flags.includes('run'))
  it.each(marked)('$document:$line', { timeout: 180_000 }, async (block) => {
    const project = await DocumentProject.create()
    for (const path of ['vitest.config.ts', 'nemesis/store.ts']) await project.add(fileIn(start, path))
    await project.add(fileIn(start, 'kv-server.mjs', 1))
    await project.add(block)
    const { code, output } = await project.vitest([block.path ?? ''])
    expect(output).toMatch(/nemesis {2}PASS-smoke/)
    expect(code, output).toBe(0)
  })
})
