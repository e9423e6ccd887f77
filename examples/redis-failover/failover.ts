import type { BodyTools, Nemesis } from 'vitest-nemesis'
import type { RedisClient } from './client.js'
import { port } from './pair.js'

export interface FailoverOptions {
  /** How the client writes, and so what an acknowledgement is worth. */
  readonly write: (client: RedisClient, key: string, value: number) => Promise<void>
  /** Cuts the primary from its replica. */
  readonly partition: Nemesis
  /** Resolves true when the operator may promote the replica. */
  readonly mayPromote: (acknowledged: number, lastError: unknown) => boolean
}

/**
 * An operator's failover, step by step, while a client places orders: each order is a key of its own.
 *
 * The primary n1 is cut from its replica n2; n2 is promoted; the client moves to it; the cut heals; n1 becomes the
 * replica of n2. At the end the client reads every order that it placed.
 */
export async function failover(tools: BodyTools<RedisClient>, options: FailoverOptions): Promise<void> {
  const { nodes, clients, inject, until, log } = tools
  const [n1, n2] = nodes
  const [first, second] = clients
  if (n1 === undefined || n2 === undefined || first === undefined || second === undefined) {
    throw new Error('the failover needs a primary and a replica')
  }
  const orders = placeOrders(tools, options.write)
  await until(() => orders.acknowledged() >= 50, { what: '50 acknowledged orders' })

  const cut = await inject(options.partition)
  const before = orders.acknowledged()
  await until(() => options.mayPromote(orders.acknowledged() - before, orders.lastError()), {
    what: 'the moment to promote',
  })
  log(`promoting n2: ${orders.acknowledged() - before} orders were acknowledged by n1 during the partition`)
  await second.promote(0)
  orders.moveTo(1)
  const moved = orders.placed()
  await until(() => orders.placed() >= moved + 10, { what: '10 orders at n2' })

  await cut.heal()
  await first.follow(n2.address(port))
  await until(async () => (await first.replication()).link === 'up', { what: 'n1 as the replica of n2' })
  const demoted = orders.acknowledged()
  await until(() => orders.acknowledged() >= demoted + 20, {
    what: '20 acknowledged orders after the failover',
  })
  await orders.stop()
  await readAll(tools, orders.placed())
}

/** A client that places one order after the other until it is told to stop. */
function placeOrders({ clients, op, sleep }: BodyTools<RedisClient>, write: FailoverOptions['write']) {
  let at = 0
  let placed = 0
  let acknowledged = 0
  let lastError: unknown = null
  let stopped = false
  async function run(): Promise<void> {
    while (!stopped) {
      const client = clients[at]!
      const value = ++placed
      const key = orderKey(value)
      const done = await op({ process: at, type: 'write', key, input: value }, () =>
        write(client, key, value),
      )
      if (done.outcome === 'ok') acknowledged++
      else lastError = done.error
      await sleep('5ms')
    }
  }
  const running = run()
  return {
    placed: () => placed,
    acknowledged: () => acknowledged,
    lastError: () => lastError,
    moveTo: (node: number) => void (at = node),
    stop: async () => {
      stopped = true
      await running
    },
  }
}

async function readAll({ clients, op }: BodyTools<RedisClient>, count: number): Promise<void> {
  for (let value = 1; value <= count; value++) {
    const key = orderKey(value)
    await op({ process: 1, type: 'read', key }, () => clients[1]!.get(key))
  }
}

function orderKey(value: number): string {
  return `order-${value}`
}
