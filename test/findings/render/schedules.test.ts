import { expect, it } from 'vitest'
import { renderMarkdown } from '../../../src/findings/render/markdown.js'
import { schedules } from '../../../src/findings/render/report/schedules.js'
import { results } from '../../../src/findings/render/results.js'
import type { Scheduled } from '../../../src/nemesis/schedule/record.js'
import { faultWindow, runRecord, scenarioRecord } from '../../session/records.js'

const drawn = (fault: string, more: Partial<Scheduled['faults'][number]>): Scheduled['faults'][number] => ({
  ...{ fault, afterMs: 2_500, forMs: 2_000, id: null, drawn: [], skipped: null, recoveredMs: null },
  ...more,
})

const killed = faultWindow({
  ...{ id: 'F1', fault: 'kill', target: 'n2', landed: true, cause: null },
  ...{ injected_ts: 2.5e9, landed_ts: 2.6e9, healed_ts: 5e9 },
})
const unproven = faultWindow({
  ...{ id: 'F2', fault: 'kill', target: 'n3', landed: false, cause: 'no traffic met it' },
  ...{ injected_ts: 12e9, landed_ts: null, healed_ts: 14e9 },
})

const record = scenarioRecord({
  id: 'S7',
  runs: [
    runRecord({
      faults: [killed, unproven],
      schedule: [
        {
          declared: 'random (kill node=random | pause node=leader; 1 at once)',
          faults: [
            drawn('kill node=random', { id: 'F1', recoveredMs: 1_250 }),
            drawn('pause node=leader', { skipped: 'no leader right now' }),
            drawn('kill node=random', { id: 'F2', recoveredMs: 40 }),
          ],
        },
        { declared: 'pause node=n1', faults: [drawn('pause node=n1', { id: 'F3' })] },
      ],
    }),
  ],
})

/** The cells of the row of a table that begins so. */
function row(text: string, first: string): readonly string[] {
  const line = text.split('\n').find((one) => one.startsWith(`| ${first} |`)) ?? ''
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

it('tells of a random schedule what was drawn, what came of it, and how long the system took', () => {
  const text = renderMarkdown(schedules([record]))
  expect(text).toContain('3 faults drawn, 2 injected, 1 landed, 2 undone, 1 skipped')
  expect(row(text, 'kill')).toEqual(['kill', '2', '2', '1', '2', '0', '0.10 s', '0.04 s to 1.3 s'])
  expect(row(text, 'pause')).toEqual(['pause', '1', '0', '0', '0', '1', '-', '-'])
  expect(row(text, 'F1 kill').slice(1, 5)).toEqual(['2.5 s', 'n2', '0.10 s', '2.4 s'])
  expect(row(text, 'F2 kill')).toContain('not proven: no traffic met it')
  expect(text).toContain('skipped: no leader right now')
  expect(text).not.toContain('pause node=n1')
})

it('says nothing when no schedule is random or repeats', () => {
  expect(schedules([scenarioRecord()])).toEqual([])
})

it('gives the numbers of many faults instead of the evidence of each, and names what was not proven', () => {
  const many = Array.from({ length: 20 }, (_, index) => ({ ...killed, id: `F${index + 3}` }))
  const faults = [killed, unproven, ...many]
  const text = renderMarkdown(results([scenarioRecord({ runs: [runRecord({ faults })] })]))
  expect(text).toContain('in seed-42 21 of 22 faults landed (kill 22)')
  expect(row(text, 'F2 kill n3')[1]).toBe('not proven: no traffic met it')
  expect(text).not.toContain('F3')
})
