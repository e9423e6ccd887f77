import type { Evidence } from '../../../src/nemesis/evidence.js'
import type { Nemesis } from '../../../src/nemesis/fault.js'
import { inject, type ActiveFault } from '../../../src/nemesis/inject.js'
import { fakeRun, type FakeRun } from '../fakes.js'

/** Evidence as lines: `victim n1 version it reports: 1.0 -> 2.0`. */
export const rows = (evidence: readonly Evidence[]): string[] =>
  evidence.map(
    ({ side, subject, signal, before, after }) => `${side} ${subject} ${signal}: ${before} -> ${after}`,
  )

/** What each node of a fake cluster says when a hook asks. */
export class FakeCluster {
  readonly run: FakeRun
  readonly says: Map<string, string | number>
  readonly log: string[] = []

  constructor(first: string | number, run: FakeRun = fakeRun()) {
    this.run = run
    this.says = new Map(run.context.nodes.map((node) => [node, first]))
  }

  /** A hook that makes the node say something else. */
  set(value: string | number) {
    return ({ node }: { node: { name: string } }) => {
      this.log.push(`${node.name} = ${value}`)
      this.says.set(node.name, value)
    }
  }

  readonly read = ({ node }: { node: { name: string } }): string | number =>
    this.says.get(node.name) as string | number

  inject(declared: Nemesis): Promise<ActiveFault> {
    return inject(declared, this.run.context, { id: 'F1' })
  }
}
