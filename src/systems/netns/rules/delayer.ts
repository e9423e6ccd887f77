import { FaultError } from '../../../errors.js'
import type { NamespaceExec } from '../exec.js'
import { delayerBinary } from './delayer-binary.js'

/** What happens to packets: they are held for a while, dropped at random, or held back to a rate. */
export type PacketTreatment =
  | { readonly kind: 'delay'; readonly delayMs: number; readonly jitterMs: number; readonly seed: number }
  | { readonly kind: 'loss'; readonly share: number; readonly seed: number }
  | { readonly kind: 'rate'; readonly bitsPerSecond: number }

/** What one queue has been through. */
export interface QueueStatistics {
  readonly queue: number
  /** Packets that arrived. */
  readonly seen: number
  /** Packets that were held and let go again. */
  readonly delayed: number
  /** Packets that were dropped: by chance, or because too many were waiting. */
  readonly dropped: number
  /** Packets that were let through at once. */
  readonly direct: number
  /** Milliseconds for which packets were held, added up. */
  readonly heldMs: number
}

/** The program that treats packets in one namespace. */
export interface Delayer {
  statistics(): Promise<readonly QueueStatistics[]>
  /** Why it ended by itself; null while it runs. */
  readonly ended: string | null
  /** Lets go of what it holds and waits until it has ended. */
  stop(): Promise<void>
}

const answerWithinMs = 5_000

/** Starts the program and waits until it serves its queues. */
export async function startDelayer(
  entry: NamespaceExec,
  id: string,
  { treatment, queues }: { readonly treatment: PacketTreatment; readonly queues: readonly number[] },
): Promise<Delayer> {
  const args = [...argumentsFor(treatment), ...queues].map(String)
  const program = await entry.start(id, await delayerBinary(), args)
  const waiting: ((line: string | null) => void)[] = []
  let last: readonly QueueStatistics[] = []
  let ended: string | null = null
  let stopping = false

  program.onLine((line) => {
    const message = JSON.parse(line) as { queues?: readonly QueueStatistics[] }
    if (message.queues) last = message.queues
    waiting.shift()?.(line)
  })
  const exited = program.exited.then((stderr) => {
    if (!stopping) ended = stderr.trim() === '' ? 'it ended by itself' : stderr.trim()
    for (const resolve of waiting.splice(0)) resolve(null)
  })
  const nextLine = (): Promise<string | null> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () =>
          reject(new FaultError('delayer-silent', `the delayer does not answer within ${answerWithinMs} ms`)),
        answerWithinMs,
      )
      waiting.push((line) => {
        clearTimeout(timer)
        resolve(line)
      })
    })

  if ((await nextLine()) === null) {
    throw new FaultError('delayer-start', `the delayer does not start: ${ended}`, {
      hint: 'the kernel needs NFQUEUE (CONFIG_NETFILTER_NETLINK_QUEUE)',
    })
  }
  return {
    async statistics() {
      if (ended !== null || stopping) return last
      const answer = nextLine()
      program.write('\n')
      await answer
      return last
    },
    get ended() {
      return ended
    },
    async stop() {
      stopping = true
      program.end()
      await exited
    },
  }
}

function argumentsFor(treatment: PacketTreatment): readonly (string | number)[] {
  switch (treatment.kind) {
    case 'delay':
      return ['delay', treatment.delayMs, treatment.jitterMs, treatment.seed]
    case 'loss':
      return ['loss', treatment.share, treatment.seed]
    case 'rate':
      return ['rate', treatment.bitsPerSecond]
  }
}
