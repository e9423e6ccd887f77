import type { Nemesis } from '../../../nemesis/fault.js'
import { Marks, type Turn } from '../../../workload/marks.js'
import { performScript, type Scripted, type ScriptedOperation } from '../../../workload/script.js'
import type { Workload } from '../../../workload/workload.js'
import { closeClient, connectTo } from '../clients.js'
import { inConcert } from './concert.js'
import type { PassFaults } from './faults.js'
import { settleMs } from '../../declaration/limits.js'
import { poll } from '../poll.js'
import type { Pass } from '../setup.js'

/**
 * A fault of a script. Its marks are `<id> placed`, `<id> landed` (or known not to have) and `<id> healed`: it is taken
 * back and the system is ready.
 */
export interface ScriptedFault {
  readonly id: string
  readonly nemesis: Nemesis
  readonly turn: Turn
  /** Null for a fault that stays until the end. */
  readonly heal: Turn | null
}

/** Operations and faults in a given order, instead of what the scenario declares. */
export interface Script {
  readonly operations: readonly ScriptedOperation[]
  readonly faults: readonly ScriptedFault[]
}

/** Without the traffic of a workload most evidence comes at once or not at all. */
const landWithinMs = 2_000

/** Plays a script by the operations of a workload. Faults that have no `heal` of their own are left in place. */
export async function playScript(
  pass: Pass,
  {
    script,
    workload,
    faults,
    signal,
  }: { script: Script; workload: Workload; faults: PassFaults; signal: AbortSignal },
): Promise<Scripted & { readonly unstarted: 0 }> {
  const { input, running, recorder, clock } = pass
  const { system } = input.spec
  const marks = new Marks()
  const [scripted] = await inConcert(
    [
      (ended) =>
        performScript({
          workload,
          nodes: running.nodes,
          connect: (node) => connectTo(system, node, ended),
          close: (client) => closeClient(system, client),
          recorder,
          clock,
          operations: script.operations,
          marks,
          signal: ended,
        }),
      ...script.faults.map(
        (fault) => (ended: AbortSignal) => playFault(fault, { pass, faults, marks, signal: ended }),
      ),
    ],
    signal,
  )
  return { ...scripted, unstarted: 0 }
}

async function playFault(
  { id, nemesis, turn, heal }: ScriptedFault,
  {
    pass,
    faults,
    marks,
    signal,
  }: {
    readonly pass: Pass
    readonly faults: PassFaults
    readonly marks: Marks
    readonly signal: AbortSignal
  },
): Promise<void> {
  if (!(await marks.until(turn, signal))) return
  const quick = { ...nemesis, landWithinMs: Math.min(nemesis.landWithinMs, landWithinMs) }
  const active = await faults.inject(quick, signal, () => marks.reach(`${id} placed`))
  marks.reach(`${id} landed`)
  if (heal === null || !(await marks.until(heal, signal))) return
  await active.heal()
  const { input, running } = pass
  const { ready } = input.spec.system.spec
  // Of a few operations none can be spared for a node that does not listen yet.
  if (ready !== undefined) {
    await poll(() => ready(running.nodes), { timeoutMs: settleMs(input.spec), signal })
  }
  marks.reach(`${id} healed`)
}
