import { describe, expect, it } from 'vitest'
import { declarationIn } from '../../../src/findings/reduction/declaration.js'

const source = `import { scenario as check } from 'vitest-nemesis'

check('not this one', { id: 'S0' })

check.only("it's, called { so", {
  id: 'S1', // with, a comment ) }
  falsifies: [C1, claim('C2', 'a, b', { categories: ['safety'] })],
  /* system: no */
  system: cluster(\`name-\${suffix({ a: 1 }, ')')}\`, { ready: (nodes) => /[),]\\//.test(String(nodes)) }),
  model,
  workload: workload<Client>({ operations: { write: { run: ({ client }) => client.put(1, 2) } } }),
  checkers: [linearizable()],
})

check('spread', { ...common, id: 'S2' })
check('constant', declaration)
check.each(rows)('row', { id: 'S3' })
`

describe('the source of a declaration', () => {
  it('has the text of each property', () => {
    const declaration = declarationIn(source, 5)
    expect(declaration?.callee).toBe('check')
    expect(Object.fromEntries(declaration?.properties ?? [])).toEqual({
      id: "'S1'",
      falsifies: "[C1, claim('C2', 'a, b', { categories: ['safety'] })]",
      system: "cluster(`name-${suffix({ a: 1 }, ')')}`, { ready: (nodes) => /[),]\\//.test(String(nodes)) })",
      model: 'model',
      workload: 'workload<Client>({ operations: { write: { run: ({ client }) => client.put(1, 2) } } })',
      checkers: '[linearizable()]',
    })
  })

  it.each([
    ['spreads another object', 15],
    ['is in a constant', 16],
    ['is one of several rows', 17],
    ['is not there', 40],
  ])('is not told when it %s', (_, line) => {
    expect(declarationIn(source, line)).toBeNull()
  })
})
