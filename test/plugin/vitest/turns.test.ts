import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TurnHost } from '../../../plugin/vitest/turns/host.js'
import { takeTurn, type Turn } from '../../../plugin/vitest/turns/turn.js'
import type { Progress } from '../../../src/scenario/runs/progress.js'

let host: TurnHost
const started: string[] = []
const heard: Progress[] = []

beforeEach(async () => {
  started.length = 0
  heard.length = 0
  host = new TurnHost({
    onStart: async (task) => {
      started.push(task)
      if (task === 'unlucky') throw new Error('the disk is full')
      return '/sessions/now'
    },
    onProgress: (progress) => heard.push(progress),
  })
  await host.listen()
})

afterEach(() => host.close())

/** A turn that is asked for; `taken` tells whether it has been granted. */
function ask(): { taken: boolean; turn: Promise<Turn | null> } {
  const asked = { taken: false, turn: takeTurn(host.address) }
  // A rejection is the business of who awaits the turn.
  const settled = () => void (asked.taken = true)
  asked.turn.then(settled, settled)
  return asked
}

const idle = () => new Promise((resolve) => setTimeout(resolve, 50))

describe('turns', () => {
  it('grants one at a time, in the order in which they were asked for', async () => {
    const first = await ask().turn
    const second = ask()
    await idle()
    const third = ask()
    await idle()
    expect([second.taken, third.taken]).toEqual([false, false])
    first?.release()
    const next = await second.turn
    await idle()
    expect(third.taken).toBe(false)
    next?.release()
    ;(await third.turn)?.release()
    await vi.waitFor(() => expect(host.busy).toBe(false))
  })

  it.each(['{"say":"turn","secret":"guessed"}', '{"say":"turn"}', '{"say":"progress"}', 'null', 'hello'])(
    'hangs up on a stranger that says %s',
    async (line) => {
      const socket = connect(host.address.path)
      socket.write(`${line}\n`)
      await new Promise((resolve) => socket.once('close', resolve))
      expect([host.busy, heard]).toEqual([false, []])
    },
  )

  it('gives the turn of a worker that died to the next one', async () => {
    const socket = connect(host.address.path)
    socket.write(`${JSON.stringify({ say: 'turn', secret: host.address.secret })}\n`)
    await new Promise((resolve) => socket.once('data', resolve))
    const next = ask()
    await idle()
    expect(next.taken).toBe(false)
    socket.destroy()
    ;(await next.turn)?.release()
  })

  it('takes who leaves the queue out of it', async () => {
    const first = await ask().turn
    const leaver = connect(host.address)
    leaver.write('{"say":"turn"}\n')
    await idle()
    const last = ask()
    await idle()
    leaver.destroy()
    await idle()
    first?.release()
    ;(await last.turn)?.release()
  })

  it('sends who waits away when the run is cancelled, and lets the holder go on', async () => {
    const holder = await ask().turn
    const waiting = ask()
    await idle()
    host.dismissWaiting()
    expect(await waiting.turn).toBeNull()
    expect(await holder?.session('t1')).toBe('/sessions/now')
    holder?.release()
  })

  it('tells who starts and how it goes', async () => {
    const turn = await ask().turn
    await turn?.session('t1')
    const progress = { scenario: 's', run: 'seed-1', phase: 'workload', operations: 1, opsPerSecond: 1 }
    turn?.progress({ ...progress, activeFaults: [], secondsLeft: 3, outcome: null })
    await vi.waitFor(() => expect(heard.map(({ secondsLeft }) => secondsLeft)).toEqual([3]))
    expect(started).toEqual(['t1'])
    turn?.release()
  })

  it('hands on why there is no session directory', async () => {
    const turn = await ask().turn
    await expect(turn?.session('unlucky')).rejects.toThrow('the disk is full')
    turn?.release()
  })

  it('fails a scenario that waits for an answer when the main process goes away', async () => {
    const turn = await ask().turn
    const waiting = ask()
    await idle()
    host.close()
    await expect(waiting.turn).rejects.toThrow('gone away')
    turn?.release()
  })

  it('says what to do when there is nobody at the address', async () => {
    await expect(takeTurn({ ...host.address, path: `${host.address.path}.nowhere` })).rejects.toThrow(
      'nemesis() among the plugins',
    )
  })
})
