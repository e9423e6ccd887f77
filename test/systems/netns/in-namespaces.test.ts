import { expect, it } from 'vitest'
import { noCount, ruleInNamespaces, type Installed } from '../../../src/systems/netns/rules/in-namespaces.js'
import type { RuleContext } from '../../../src/systems/netns/rules/context.js'
import { MemoryJournal } from '../running.js'

/** A rule at one node whose namespace is there, and in which it is or is not, as `held` says. */
async function ruleAt(held: { present: boolean }) {
  const installed: Installed = {
    put: async () => void (held.present = true),
    present: async () => held.present,
    read: async () => [noCount],
    takeOut: async () => void (held.present = false),
  }
  const journal = new MemoryJournal()
  const namespaces = {
    isThere: async () => true,
    undoOf: () => ({ kind: 'directory', path: '/nowhere' }),
  } as unknown as RuleContext['namespaces']
  const node = { name: 'n1', id: 'one', ip: '10.213.0.2' } as RuleContext['nodes'][number]
  return ruleInNamespaces(
    { nodes: [node], namespaces, journal, entry: {} as RuleContext['entry'] },
    {
      mechanism: 'fake',
      places: [{ node, links: [{ from: 'n1', to: 'n2' }], leaves: {} as never, installed }],
      victims: async () => [],
    },
  )
}

it('is not lost on a node that has just been started and gets it again', async () => {
  const held = { present: true }
  const rule = await ruleAt(held)
  held.present = false
  const asked = rule.lost?.()
  setTimeout(() => void rule.restarted('n1'), 100)
  expect(await asked).toBeNull()
  expect(held.present).toBe(true)
})

it('is lost when nobody puts it in again', async () => {
  const held = { present: true }
  const rule = await ruleAt(held)
  held.present = false
  expect(await rule.lost?.()).toContain('taken the rule out of the network namespace of n1')
})

it('is not lost once it was removed', async () => {
  const rule = await ruleAt({ present: true })
  await rule.remove()
  expect(await rule.lost?.()).toBeNull()
})
