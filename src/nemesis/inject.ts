import { EnvironmentError, FaultError, messageOf, NemesisError } from '../errors.js'
import type { FaultWindow } from './evidence.js'
import type { FaultContext, Injection, Nemesis } from './fault.js'
import { optionsInWords } from './describe.js'
import { causeOf, lookAgain, lookAt, type Look, type WatchedSignal } from './landing.js'
import { refutedBy } from './refuted.js'
import { sleep } from '../time/sleep.js'
import { within } from '../time/wait.js'

/** How often evidence is read until it is in. */
const lookEveryMs = 30
/** One look at the evidence may overrun the deadline by this much. */
const lookGraceMs = 10_000
/** Looking once more before the heal: a proven fault is not to count as unproven because the machine is busy. */
const lastLookMs = 10_000

export interface InjectOptions {
  /** `F1`, `F2`, … unique in the run; a function is asked when the fault is about to be put in place. */
  readonly id: string | (() => string)
  /** Nanoseconds since the run's start at which waiting for evidence ends at the latest. */
  readonly landBy?: number
  /** The fault is about to be put in place: operations from now on may meet it. The window is live. */
  onOpen?(window: FaultWindow): void
  /** The fault is in place; whether it has landed is yet to be seen. */
  onPlaced?(window: FaultWindow): void
  /** The fault is gone again, or could not be put in place. */
  onClose?(window: FaultWindow): void
}

/** A fault that is in place. */
export interface ActiveFault {
  readonly id: string
  /** Live: `healed_ts`, `healed` and a late `cause` appear when it is healed. */
  readonly window: FaultWindow
  /** True when both sides showed it in time. Operations must have met it as well: see `judgeLanding`. */
  readonly landed: boolean
  /** Nodes whose clients are on the affected path. */
  readonly affects: readonly string[]
  /** Undoes the fault; resolves when that is verified. Safe to call again. Throws FaultError when it cannot be undone. */
  heal(): Promise<FaultWindow>
}

/**
 * Puts a declared fault in place and waits until it is proven, or its time to prove itself is over.
 *
 * Late-bound targets are resolved now. It never throws because a fault did not land: the window then says why. Throws
 * FaultError when it could not be put in place (what was done of it is undone) and EnvironmentError when this machine
 * lacks something for it. What must survive a crash is journalled by the capability that makes the change.
 */
export async function inject(
  nemesis: Nemesis,
  context: FaultContext,
  options: InjectOptions,
): Promise<ActiveFault> {
  const { clock } = context
  const { definition } = nemesis
  const window: FaultWindow = {
    id: typeof options.id === 'string' ? options.id : '',
    fault: definition.name,
    // Until it is resolved: as declared.
    target: optionsInWords(nemesis.options),
    mechanism: null,
    injected_ts: clock.now(),
    landed_ts: null,
    healed_ts: null,
    landed: false,
    cause: null,
    evidence: [],
    healed: [],
    exposure: null,
  }
  let opened = false
  let asked = false
  const open = () => {
    if (opened) return
    opened = true
    if (typeof options.id === 'function') window.id = options.id()
    window.injected_ts = clock.now()
    options.onOpen?.(window)
  }
  const close = () => {
    window.healed_ts = clock.now()
    options.onClose?.(window)
  }
  const signals = await Promise.all(
    nemesis.landing.map(async (signal): Promise<WatchedSignal> => ({
      signal,
      before: await signal.sample(),
    })),
  ).catch((error: unknown) => {
    throw failure(`a landing signal could not be read before the injection: ${messageOf(error)}`, error)
  })

  const injecting = definition.inject({ ...context, injecting: open }, nemesis.options)
  let injection: Injection
  try {
    injection = await within(nemesis.changeWithinMs, 'the injection', injecting)
    open()
  } catch (error) {
    // It may come to its end long after anyone waits for it; if that fails as well, the journal still holds its undo.
    injecting.then((late) => late.heal()).catch(() => undefined)
    window.cause = `it could not be put in place: ${messageOf(error)}`
    if (opened) close()
    throw error instanceof EnvironmentError
      ? error
      : failure(`could not be put in place: ${messageOf(error)}`, error, moreTime(error) ?? hintOf(error))
  }
  Object.assign(window, { target: injection.target, mechanism: injection.mechanism })
  options.onPlaced?.(window)
  await land()

  let healing: Promise<FaultWindow> | null = null
  return {
    id: window.id,
    window,
    affects: injection.affects,
    get landed() {
      return window.landed
    },
    heal() {
      healing ??= undo().catch((error: unknown) => {
        // Another attempt is allowed.
        healing = null
        throw failure(
          `could not be undone: ${messageOf(error)}`,
          error,
          ['npx nemesis heal undoes what the journal holds', moreTime(error) ?? '']
            .filter(Boolean)
            .join('; '),
        )
      })
      return healing
    },
  }

  function failure(what: string, cause: unknown, hint?: string): FaultError {
    return new FaultError('fault', `${window.id} ${definition.name}: ${what}`.trimStart(), {
      cause,
      ...(hint === undefined ? {} : { hint }),
    })
  }

  /** What to do about a change that only takes its time. */
  function moreTime(error: unknown): string | undefined {
    if (!(error instanceof FaultError && error.code === 'fault-timeout')) return undefined
    return `if it only takes long, as filling a large disk does, give it more time: nemesis('${definition.name}', { …, changeWithin: '5m' })`
  }

  function hintOf(error: unknown): string | undefined {
    return error instanceof NemesisError ? error.hint : undefined
  }

  async function land(): Promise<void> {
    const latest = window.injected_ts + nemesis.landWithinMs * 1e6
    const deadline = Math.min(latest, options.landBy ?? latest)
    let look: Look = { evidence: [], missing: 'the evidence was not read', final: false }
    for (;;) {
      const leftMs = (deadline - clock.now()) / 1e6
      look = await within(
        Math.max(leftMs, 0) + lookGraceMs,
        'reading the evidence',
        lookAt(injection, signals, () => clock.now()),
      ).catch((error: unknown): Look => ({ ...look, missing: messageOf(error) }))
      window.evidence = [...look.evidence]
      if (look.missing === null) {
        Object.assign(window, { landed: true, landed_ts: clock.now() })
        return
      }
      if (look.final || context.signal.aborted || clock.now() >= deadline) break
      await sleep(lookEveryMs, context.signal)
    }
    const endedEarly = context.signal.aborted
      ? 'the run was cancelled'
      : deadline < latest
        ? 'the workload ended'
        : null
    window.cause = causeOf(look, (clock.now() - window.injected_ts) / 1e6, endedEarly)
  }

  async function undo(): Promise<FaultWindow> {
    if (window.landed && !asked) {
      // Only once: after a heal that went half way what is missing is no loss.
      asked = true
      await refuteByLoss()
      await refuteByBypass()
      await refuteByReading()
    }
    window.healed = [...(await within(nemesis.changeWithinMs, 'the heal', injection.heal()))]
    close()
    return window
  }

  /** What was taken back in the meantime was not in place for as long as the window says. */
  async function refuteByLoss(): Promise<void> {
    const lost = await within(
      lastLookMs,
      'looking whether it was still in place',
      injection.lost?.() ?? Promise.resolve(null),
    ).catch((error: unknown) => `whether it was still in place could not be read: ${messageOf(error)}`)
    if (lost === null) return
    Object.assign(window, {
      landed: false,
      cause: `it was not in place any more when it was to be healed: ${lost}`,
    })
  }

  /** Traffic may find its way round a fault that had landed: what was tested then is not what was declared. */
  async function refuteByBypass(): Promise<void> {
    const bypasses = await within(
      lastLookMs,
      'looking for bypasses',
      injection.bypasses?.() ?? Promise.resolve([]),
    ).catch((error: unknown) => [`whether traffic went round it could not be read: ${messageOf(error)}`])
    if (bypasses.length === 0 || !window.landed) return
    Object.assign(window, { landed: false, cause: `traffic went round the fault: ${bypasses.join('; ')}` })
  }

  /** What must stand still may have moved since the fault had landed. */
  async function refuteByReading(): Promise<void> {
    if (!window.landed || !window.evidence.some(({ expected }) => expected === 'still')) return
    const cause = await within(
      lookGraceMs,
      'reading what must stand still',
      lookAgain(window.evidence, signals, () => clock.now()),
    ).then(
      (evidence) => {
        window.evidence = [...evidence]
        return refutedBy(evidence)
      },
      (error: unknown) => `what must stand still could not be read: ${messageOf(error)}`,
    )
    if (cause !== null) Object.assign(window, { landed: false, cause })
  }
}
