import { createHash } from 'node:crypto'
import fc, { type Arbitrary } from 'fast-check'
import { ownVersion } from '../../environment/own-package.js'
import { messageOf } from '../../errors.js'
import { milliseconds } from '../../time/duration.js'
import type { Tier } from '../../verdict/budget.js'
import type { Workload } from '../../workload/workload.js'
import type { ScenarioBody } from '../pass/drive/body.js'
import { canonical } from './canonical.js'
import { workloadMs } from './limits.js'
import type { ScenarioSpec } from '../spec.js'

const drawnInputs = 20

export interface Harness {
  readonly spec: ScenarioSpec
  readonly body: ScenarioBody | undefined
  readonly tier: Tier
}

/**
 * A digest (SHA-256, in hexadecimal) of what drives and judges a scenario: the source text of its operations and body,
 * weights, rate, clients, keys and timeout, the model, the checkers with their options, how long a run of the tier lasts,
 * and the version of this package.
 *
 * Equal declarations have equal digests in every process and on every machine; what functions close over does not count,
 * nor do seeds, faults and the system. Numbers of runs can be compared when their digests are equal.
 */
export function harnessDigest({ spec, body, tier }: Harness): string {
  const { model, checkers, workload } = spec
  const parts = {
    version: ownVersion(),
    durationMs: workloadMs(spec, tier),
    body: body ?? null,
    workload: workload === undefined ? null : partsOf(workload),
    model:
      model === undefined
        ? null
        : {
            ...{ name: model.name, operations: model.operations, semantics: model.semantics },
            ...{ partition: model.partition, initial: model.init(null), step: model.step },
          },
    checkers: checkers.map(({ name, pattern, needs, options }) => ({
      ...{ name, pattern, needs, options: options ?? null },
    })),
  }
  return createHash('sha256').update(canonical(parts)).digest('hex')
}

function partsOf({ spec }: Workload) {
  const { operations, timeout, think, ...rest } = spec
  return {
    ...rest,
    timeoutMs: timeout === undefined ? null : milliseconds(timeout),
    thinkMs: think === undefined ? null : milliseconds(think),
    operations: Object.entries(operations).map(([type, { input, weight = 1, mutates, run }]) => ({
      ...{ type, weight, mutates, run, inputs: input === undefined ? null : drawn(input) },
    })),
  }
}

/** An arbitrary is known by what it draws; one that cannot draw breaks the run, which tells more than the digest. */
function drawn(input: Arbitrary<unknown>): readonly unknown[] {
  try {
    return fc.sample(input, { numRuns: drawnInputs, seed: 1 })
  } catch (error) {
    return [messageOf(error)]
  }
}
