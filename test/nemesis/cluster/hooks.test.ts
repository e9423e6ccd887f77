import { describe, expect, it } from 'vitest'
import { EnvironmentError, FaultError } from '../../../src/errors.js'
import { Hooks } from '../../../src/nemesis/faults/cluster/hooks.js'
import { fakeRun } from '../fakes.js'

const hooksOf = (run: ReturnType<typeof fakeRun>, hookTimeout = 2_000) =>
  new Hooks(run.context, { fault: 'mixed-version', hookTimeout })

describe('hooks of the user', () => {
  it('are given the node with its address, all nodes, and a signal', async () => {
    const run = fakeRun()
    const systemNodes = run.context.nodes.map((name, index) => ({
      name,
      index,
      address: (port: number) => ({ host: '127.0.0.1', port: port + index }),
    }))
    const hooks = new Hooks({ ...run.context, systemNodes }, { fault: 'mixed-version', hookTimeout: 2_000 })
    const call = hooks.onNode(
      {
        name: 'version',
        call: ({ node, nodes, signal }) => [node.name, node.address(10).port, nodes.length, signal.aborted],
      },
      'n2',
      'inject',
    )
    expect(await call).toEqual(['n2', 11, 3, false])
  })

  it('are named when they throw, with the node', async () => {
    const thrown = hooksOf(fakeRun()).onNode(
      {
        name: 'upgrade',
        call: () => {
          throw new Error('no such image')
        },
      },
      'n2',
      'inject',
    )
    await expect(thrown).rejects.toThrow(/^mixed-version: upgrade\(\) on n2: no such image/)
    await expect(thrown).rejects.toBeInstanceOf(FaultError)
  })

  it('are named when they do not come back, and their signal aborts', async () => {
    let given: AbortSignal | null = null
    const late = hooksOf(fakeRun(), 30).onCluster(
      {
        name: 'members',
        call: ({ signal }) => {
          given = signal
          return new Promise(() => {})
        },
      },
      'inject',
    )
    await expect(late).rejects.toThrow(/mixed-version: members\(\): it was not done within 0\.0 s/)
    expect(given).toMatchObject({ aborted: true })
  })

  it('end with the run, unless they take something back', async () => {
    const run = fakeRun()
    const hooks = hooksOf(run)
    const waiting = hooks.onNode({ name: 'apply', call: () => new Promise(() => {}) }, 'n1', 'inject')
    run.abort.abort()
    await expect(waiting).rejects.toThrow(/apply\(\) on n1: the run was cancelled/)
    await expect(hooks.onNode({ name: 'apply', call: () => 1 }, 'n1', 'inject')).rejects.toThrow(/cancelled/)
    expect(await hooks.onNode({ name: 'restore', call: () => 'back' }, 'n1', 'undo')).toBe('back')
  })

  it('that use a capability which is not there say so', async () => {
    const call = hooksOf(fakeRun()).onNode(
      { name: 'apply', call: ({ exec, node }) => exec.run(node.name, ['true']) },
      'n1',
      'inject',
    )
    await expect(call).rejects.toBeInstanceOf(EnvironmentError)
  })

  it('take a node down for some work and have it started again, also when the work fails', async () => {
    const run = fakeRun()
    const hooks = hooksOf(run)
    const seen: string[] = []
    await hooks.onNode(
      {
        name: 'upgrade',
        call: ({ node, whileDown }) =>
          whileDown(async () => seen.push((await run.lifecycle.state(node.name)).status)),
      },
      'n3',
      'inject',
    )
    expect(seen).toEqual(['exited'])
    expect(run.lifecycle.log).toEqual(['stop n3', 'start n3'])
    const failing = hooks.onNode(
      { name: 'upgrade', call: ({ whileDown }) => whileDown(() => Promise.reject(new Error('disk full'))) },
      'n3',
      'inject',
    )
    await expect(failing).rejects.toThrow(/upgrade\(\) on n3: disk full/)
    expect(run.lifecycle.log).toEqual(['stop n3', 'start n3', 'stop n3', 'start n3'])
  })

  it('that take back wait for a node that another one has taken down', async () => {
    const run = fakeRun()
    const hooks = hooksOf(run, 40)
    let finish = () => {}
    const work = new Promise<void>((resolve) => (finish = resolve))
    const late = hooks.onNode(
      { name: 'upgrade', call: ({ whileDown }) => whileDown(() => work) },
      'n1',
      'inject',
    )
    await expect(late).rejects.toThrow(/not done within/)
    const back = hooks.onNode(
      { name: 'downgrade', call: () => run.lifecycle.log.push('downgrade') },
      'n1',
      'undo',
    )
    finish()
    await back
    expect(run.lifecycle.log).toEqual(['stop n1', 'start n1', 'downgrade'])
  })
})
