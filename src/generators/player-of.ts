import { DeclarationError } from '../errors.js'
import type { Player, Setting } from './player.js'
import { counters } from './players/counters.js'
import { leases } from './players/leases.js'
import { ledgers } from './players/ledgers.js'
import { logs } from './players/logs.js'
import { memberships } from './players/memberships.js'
import { permits } from './players/permits.js'
import { priorityQueues } from './players/priority-queues.js'
import { sequences } from './players/sequences.js'
import { sessions } from './players/sessions.js'
import { sets } from './players/sets.js'
import { singleValues } from './players/single-value.js'
import { stringAppends } from './players/string-appends.js'
import { listTransactions, registerTransactions } from './players/transactions.js'

const players: Readonly<Record<string, (setting: Setting) => Player>> = {
  register: (setting) => singleValues(setting, { read: ['read', 50], write: ['write', 50] }),
  'cas-register': (setting) => singleValues(setting, { read: ['read', 40], write: ['write', 20] }),
  map: (setting) => singleValues(setting, { read: ['get', 50], write: ['put', 40], delete: ['delete', 10] }),
  'multi-register': (setting) => registerTransactions(setting, { read: 'read', write: 'write' }),
  'kv-string-append': stringAppends,
  queue: (setting) => sequences(setting, { put: 'enqueue', take: 'dequeue', takes: 'oldest' }),
  stack: (setting) => sequences(setting, { put: 'push', take: 'pop', takes: 'newest' }),
  'priority-queue': priorityQueues,
  counter: counters,
  set: sets,
  log: logs,
  lock: permits,
  semaphore: permits,
  ledger: ledgers,
  lease: leases,
  session: sessions,
  'membership-table': memberships,
  'list-append': listTransactions,
  'rw-register': (setting) => registerTransactions(setting, { read: 'r', write: 'w' }),
}

/** Who plays the model of that name. Throws DeclarationError naming the models that can be played. */
export function playerOf(model: string, setting: Setting): Player {
  const player = Object.hasOwn(players, model) ? players[model] : undefined
  if (player !== undefined) return player(setting)
  throw new DeclarationError(
    'history-model',
    `no history can be made for the model ${JSON.stringify(model)}`,
    {
      hint: `models are ${Object.keys(players).join(', ')}`,
    },
  )
}
