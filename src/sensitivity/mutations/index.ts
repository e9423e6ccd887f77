import type { Mutation } from '../mutation.js'
import { deliveryLost } from './containers/delivery-lost.js'
import { elementSkipped } from './containers/element-skipped.js'
import { falseEmpty } from './containers/false-empty.js'
import { producerOvertaken } from './containers/producer-overtaken.js'
import { takeDuplicated } from './containers/take-duplicated.js'
import { takeUnknown } from './containers/take-unknown.js'
import { takesSwapped } from './containers/takes-swapped.js'
import { readOutOfBounds } from './counters/read-out-of-bounds.js'
import { acknowledgedWriteDropped } from './final/acknowledged-write-dropped.js'
import { finalUnwritten } from './final/final-unwritten.js'
import { idRepeated } from './identities/id-repeated.js'
import { twoLeaders } from './identities/two-leaders.js'
import { balanceOutOfBounds } from './ledgers/balance-out-of-bounds.js'
import { effectDuplicated } from './ledgers/effect-duplicated.js'
import { totalBroken } from './ledgers/total-broken.js'
import { offsetReused } from './lists/offset-reused.js'
import { recordMissing } from './lists/record-missing.js'
import { recordUnknown } from './lists/record-unknown.js'
import { recordUnreadable } from './lists/record-unreadable.js'
import { recordsReordered } from './lists/records-reordered.js'
import { holdersOverlap } from './locks/holders-overlap.js'
import { staleTokenAccepted } from './locks/stale-token-accepted.js'
import { tokenNotGrowing } from './locks/token-not-growing.js'
import { replicaDiffers } from './replicas/replica-differs.js'
import { elementMissing } from './sets/element-missing.js'
import { elementUnknown } from './sets/element-unknown.js'
import { elementVanished } from './sets/element-vanished.js'
import { appendMissing } from './strings/append-missing.js'
import { textUnknown } from './strings/text-unknown.js'
import { futureRead } from './values/future-read.js'
import { ownWriteMissed } from './values/own-write-missed.js'
import { ownWriteUnseen } from './values/own-write-unseen.js'
import { readGoesBack } from './values/read-goes-back.js'
import { staleRead } from './values/stale-read.js'
import { unwrittenRead } from './values/unwritten-read.js'

/** Every mutation, in the order of the documentation. */
export const mutations: readonly Mutation[] = [
  staleRead,
  futureRead,
  readGoesBack,
  ownWriteUnseen,
  ownWriteMissed,
  unwrittenRead,
  takesSwapped,
  takeDuplicated,
  takeUnknown,
  falseEmpty,
  elementSkipped,
  deliveryLost,
  producerOvertaken,
  recordMissing,
  recordsReordered,
  recordUnknown,
  recordUnreadable,
  offsetReused,
  elementMissing,
  elementUnknown,
  elementVanished,
  appendMissing,
  textUnknown,
  readOutOfBounds,
  holdersOverlap,
  tokenNotGrowing,
  staleTokenAccepted,
  totalBroken,
  balanceOutOfBounds,
  effectDuplicated,
  idRepeated,
  twoLeaders,
  replicaDiffers,
  acknowledgedWriteDropped,
  finalUnwritten,
]
