import { z } from 'zod'
import { messageOf } from '../../errors.js'
import { milliseconds, type Duration } from '../../time/duration.js'
import type { Evidence } from '../evidence.js'
import type { FaultDefinition, InjectContext, Injection, Target } from '../fault.js'
import { affectedBy } from './affected.js'
import { allOrNone } from './all-or-none.js'
import type { FileChange } from './corruption/change.js'
import {
  changeFile,
  chooseFile,
  digestNow,
  inWords,
  type ChangedFile,
  type FileChoice,
} from './corruption/files.js'
import { durationSchema, targetSchema } from './options.js'
import { describeState, endedByKill } from './process-evidence.js'
import { processTargets, type ProcessTarget } from './process-target.js'
import { revive } from './revive.js'

export interface CorruptionOptions {
  readonly node: Target
  /**
   * A pattern below the data directory, such as `member/wal/*.wal`, of whose matches the largest is taken; or a function
   * of all files that returns the path of one.
   */
  readonly file: FileChoice
  /** Flips so many bits, spread over what is written in the file, or in consecutive bytes from `offset` on. */
  readonly flip?: number | undefined
  /** Cuts so many bytes off the end of what is written. */
  readonly truncate?: number | undefined
  /** Overwrites so many bytes with junk, in the middle of what is written or from `offset` on. */
  readonly overwrite?: number | undefined
  readonly offset?: number | undefined
  /** How long the node may take to end before its file is changed; it is killed after that. Default 10 s. */
  readonly grace?: Duration | undefined
}

const count = z.int().min(1)

const options: z.ZodType<CorruptionOptions> = z
  .strictObject({
    node: targetSchema,
    file: z.custom<FileChoice>(
      (value) => typeof value === 'function' || (typeof value === 'string' && value !== ''),
      "expected a pattern such as 'appendonlydir/*.aof', or a function of the files that returns a path",
    ),
    flip: count.optional(),
    truncate: count.optional(),
    overwrite: count.optional(),
    offset: z.int().min(0).optional(),
    grace: durationSchema.optional(),
  })
  .superRefine((given, context) => {
    const ways = [given.flip, given.truncate, given.overwrite].filter((way) => way !== undefined)
    if (ways.length !== 1) {
      context.addIssue({ code: 'custom', message: 'give exactly one of flip, truncate and overwrite' })
    } else if (given.truncate !== undefined && given.offset !== undefined) {
      context.addIssue({ code: 'custom', message: 'truncate takes no offset: it cuts off the end' })
    }
  })

/**
 * Changes a file of a node at rest: the node is stopped, its file changed, and the node started again.
 *
 * Landed when the file has another hash and the node shows that it noticed: it refuses to start, or ends by itself, or a
 * sign in `landing` changes. Clients' troubles do not count, as the restart alone gives them some. Undone by writing the
 * original back and starting the node, unless the node has gone on with the changed file: what it wrote there since must
 * not be lost by an undo, so the file is then left as it is.
 */
export const corruption: FaultDefinition<CorruptionOptions> = {
  name: 'corruption',
  category: 'storage',
  needs: ['lifecycle', 'storage'],
  options,
  async inject(context, given) {
    const graceMs = milliseconds(given.grace ?? '10s', 'grace')
    const change = changeOf(given)
    const targets = await processTargets(context, given.node, 'corruption')
    context.injecting()
    const plan = { file: given.file, change, graceMs }
    const corrupted = await allOrNone(
      targets,
      (target) => corruptOne(context, target, plan),
      async (done) => {
        await Promise.all(done.map((one) => restore(context, one)))
        // Those whose file could not be changed are down as well.
        await revive(context, targets)
      },
    )
    let objection: string | null = null
    return {
      target: corrupted.map(({ target, file }) => `${target.node}: ${file.path}`).join(', '),
      mechanism: `${describeChange(change)} of the file at rest; ${context.lifecycle.mechanism}`,
      affects: affectedBy(context, targets),
      async evidence() {
        const read = await Promise.all(corrupted.map((one) => readBoth(context, one)))
        objection = read.find((one) => one.objection !== null)?.objection ?? null
        return read.flatMap((one) => one.evidence)
      },
      objection: () => objection,
      async lost() {
        const now = await Promise.all(
          corrupted.map(({ target, file }) => digestNow(context.storage, target.node, file.path)),
        )
        const back = corrupted.find(({ file }, index) => now[index]?.sha256 === file.before.sha256)
        return back === undefined
          ? null
          : `something else has written ${back.file.path} of ${back.target.node} back`
      },
      heal: async () => (await Promise.all(corrupted.map((one) => restore(context, one)))).flat(),
    } satisfies Injection
  },
}

/** How long a node may take to end before its file is written back. */
const restoreGraceMs = 5_000

/** A node that has been started with a changed file. */
interface Corrupted {
  readonly target: ProcessTarget
  readonly file: ChangedFile
  /** Why it could not be started; null when it was. */
  readonly refusal: string | null
}

interface Plan {
  readonly file: FileChoice
  readonly change: FileChange
  readonly graceMs: number
}

function changeOf({ flip, truncate, overwrite, offset }: CorruptionOptions): FileChange {
  if (flip !== undefined) return { kind: 'flip', bits: flip, offset: offset ?? null }
  if (overwrite !== undefined) return { kind: 'overwrite', bytes: overwrite, offset: offset ?? null }
  return { kind: 'truncate', bytes: truncate as number }
}

function describeChange(change: FileChange): string {
  switch (change.kind) {
    case 'flip':
      return `flip of ${change.bits} ${change.bits === 1 ? 'bit' : 'bits'}`
    case 'truncate':
      return `cut of ${change.bytes} bytes`
    case 'overwrite':
      return `overwrite of ${change.bytes} bytes`
  }
}

async function corruptOne(context: InjectContext, target: ProcessTarget, plan: Plan): Promise<Corrupted> {
  const { lifecycle, storage } = context
  const { node } = target
  await lifecycle.stop(node, plan.graceMs)
  const path = await chooseFile(storage, node, plan.file)
  const file = await changeFile(storage, node, { path, change: plan.change })
  // A node that refuses its file ends at once, which a start reports as its failure: here it is what was asked for.
  const refusal = await lifecycle.start(node).then(() => null, messageOf)
  return { target, file, refusal }
}

async function readBoth(
  { lifecycle, storage, clock }: InjectContext,
  { target, file, refusal }: Corrupted,
): Promise<{ evidence: readonly Evidence[]; objection: string | null }> {
  const { node } = target
  const state = await lifecycle.state(node)
  const at = clock.now()
  const evidence: Evidence[] = [
    {
      side: 'injector',
      subject: node,
      signal: `content of ${file.path}`,
      before: inWords(file.before),
      after: inWords(file.changed),
      at,
    },
  ]
  if (state.status === 'exited' && endedByKill(state)) {
    return { evidence, objection: `${node} was killed, it did not refuse its file: ${describeState(state)}` }
  }
  evidence.push({
    side: 'victim',
    subject: node,
    signal: refusal === null ? 'process state' : 'process state after a start',
    before: describeState(target.state),
    after: describeState(state),
    at,
  })
  const present = await digestNow(storage, node, file.path)
  return {
    evidence,
    objection: present?.sha256 === file.before.sha256 ? `${file.path} of ${node} is as it was before` : null,
  }
}

/** Writes the original back unless the node has gone on with the changed file, and sees to it that the node runs. */
async function restore(context: InjectContext, { target, file }: Corrupted): Promise<readonly Evidence[]> {
  const { lifecycle, storage, clock } = context
  const { node } = target
  const during = await digestNow(storage, node, file.path)
  // It may run and have the file open: what it writes next must not land in the original.
  if (during?.sha256 === file.changed.sha256) await lifecycle.stop(node, restoreGraceMs)
  const back = await file.replaced.restore()
  const content: Evidence = {
    side: 'injector',
    subject: node,
    signal: `content of ${file.path}${back ? '' : ', which the node has gone on with'}`,
    before: inWords(during),
    after: inWords(await digestNow(storage, node, file.path)),
    at: clock.now(),
  }
  return [content, ...(await revive(context, [target]))]
}
