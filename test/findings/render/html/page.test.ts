import { describe, expect, it } from 'vitest'
import { htmlOf } from '../../../../src/findings/render/html/blocks.js'
import { htmlDocument } from '../../../../src/findings/render/html/document.js'
import { spaceTime } from '../../../../src/findings/render/html/plots/space-time.js'
import { cycleDiagram } from '../../../../src/findings/render/html/plots/cycle.js'
import { timeScale } from '../../../../src/findings/render/html/plots/time-scale.js'
import {
  code,
  fileLink,
  folded,
  heading,
  paragraph,
  strong,
  table,
} from '../../../../src/findings/render/markdown.js'
import { faultWindow, scenarioRecord } from '../../../session/records.js'
import { history, violated } from '../../violated.js'
import { pageOf } from './pages.js'

const bodyOf = (html: string) => /<body>(.*?)<script>/s.exec(html)?.[1] ?? ''
const rendered = (...blocks: Parameters<typeof htmlOf>[0]) =>
  bodyOf(htmlDocument('t', htmlOf(blocks, { top: 2 })))

describe('blocks of the Markdown report as HTML', () => {
  it('keep their words and their structure', () => {
    expect(rendered(heading(1, ['S1 ', code('a<b>')]), paragraph([strong('x'), ' & y']))).toBe(
      '<h2>S1 <code>a&#x3C;b></code></h2><p><strong>x</strong> &#x26; y</p>',
    )
  })

  it('tell verdicts by word, sign and colour', () => {
    expect(rendered(paragraph([strong('FAIL-reproducible')]))).toBe(
      '<p><strong class="verdict fail"><span aria-hidden="true">✖ </span>FAIL-reproducible</strong></p>',
    )
    expect(rendered(paragraph([strong('NOT-RUN')]))).toContain('class="verdict none"')
    expect(rendered(paragraph([strong('PASSWORD')]))).toBe('<p><strong>PASSWORD</strong></p>')
  })

  it('fold what is folded', () => {
    const blocks = folded('2 met', [paragraph('inside')])
    expect(rendered(...blocks, paragraph('after'))).toBe(
      '<details><summary>2 met</summary><p>inside</p></details><p>after</p>',
    )
  })

  it('let wide tables scroll by themselves', () => {
    expect(rendered(table(['A', 'B'], [['1', '2']]))).toMatch(
      /^<div class="scroll" tabindex="0" role="group" aria-label="Table: A, B"><table>/,
    )
  })

  it('link to files of the session only', () => {
    const linked = (path: string) => rendered(paragraph([fileLink(path, 'x')]))
    expect(linked('../artifacts/s/history.ndjson')).toContain('href="../artifacts/s/history.ndjson"')
    expect(linked('s1.md')).toContain('href="s1.md"')
    for (const path of [
      'javascript:x',
      '//host/x',
      '/etc/passwd',
      '../../x',
      'a/../../x',
      'https://x.example',
    ]) {
      expect(linked(path), path).not.toContain('href')
    }
  })
})

describe('the page', () => {
  it('names every plot, table and image for those who do not see it', () => {
    const html = pageOf([violated(null)], history)
    for (const image of html.match(/<svg[^>]*>/g) ?? []) {
      const isOfImage = /role="img" aria-label="[^"]+"/.test(image)
      const isHidden = image.includes('aria-hidden="true"')
      // Drawings inside of drawings belong to the outer one.
      const isInside = /class="lines"|x="/.test(image)
      expect([isOfImage, isHidden, isInside], image).toContain(true)
    }
    expect(html.match(/<figure class="plot"/g)).toHaveLength(3)
    expect(html.match(/<figure class="plot".*?<table.*?<\/figure>/gs)).toHaveLength(3)
  })

  it('tells outcomes apart by shape', () => {
    const operations = [
      ...history,
      { ...history[0]!, op_id: 11, invoke_ts: 2e9, complete_ts: 2_001_000_000, error: 'refused' },
    ]
    const html = pageOf([violated(null)], operations)
    for (const outcome of ['ok', 'failed', 'unknown']) expect(html).toContain(`href="#mark-${outcome}"`)
    expect(html).toContain('<rect class="bar unknown"')
    expect(html).toContain('<rect class="halo"')
  })

  it('has a place for scenarios without a run', () => {
    const html = pageOf(
      [scenarioRecord({ runs: [], ruling: { verdict: 'NOT-RUN', row: 1, reason: 'skipped' } })],
      [],
    )
    expect(html).toContain('<p>skipped</p>')
    expect(html).not.toContain('<figure')
  })
})

describe('the space-time diagram', () => {
  it('tells in words what it shows', () => {
    const html = htmlDocument('t', [spaceTime(history.slice(0, 3), [faultWindow()])])
    expect(html).toContain(
      'aria-label="In order of invocation, while F1 partition was in place: ' +
        'process 0: write(key &#x22;k0&#x22;, 4), answered by n1; ' +
        'process 1: write(key &#x22;k0&#x22;, 5) with unknown outcome, answered by n1; ' +
        'process 2: read(key &#x22;k0&#x22;) -> 3, answered by n2"',
    )
    expect(html).toContain('>node n2</text>')
  })

  it('says how many operations it leaves out', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      ...history[0]!,
      op_id: index,
      invoke_ts: index * 1e6,
    }))
    expect(bodyOf(htmlDocument('t', [spaceTime(many, [])]))).toContain('4 more operations not drawn.')
  })
})

describe('the diagram of a cycle', () => {
  const operations = new Map(history.map((operation) => [String(operation.op_id), operation]))
  const anomaly = { type: 'x', explanation: 'x', operations: [7, 9] }

  it('has a box for each operation, and a sentence for each arrow', () => {
    const cycle = [
      { from: 7, to: 9, why: 'process 0 came first' },
      { from: 9, to: 7, why: 'it read the value from before' },
    ]
    const diagram = cycleDiagram({ ...anomaly, cycle }, operations)
    const html = htmlDocument('t', diagram === null ? [] : [diagram])
    expect(html.match(/class="cycle-node"/g)).toHaveLength(2)
    expect(html.match(/class="cycle-edge"/g)).toHaveLength(2)
    expect(html).not.toContain('NaN')
    expect(html).toContain(
      '<li>op 9 read(key "k0") -> 3 before op 7 write(key "k0", 4): it read the value from before</li>',
    )
  })

  it('is left out where there is no cycle', () => {
    expect(cycleDiagram(anomaly, operations)).toBeNull()
  })
})

describe('the time axis', () => {
  it('places moments by per cent', () => {
    const time = timeScale(10e9)
    expect(time.at(2.5e9)).toBe('25%')
    expect(time.at(-1)).toBe('0%')
    expect(time.width(0, 5e9)).toBe('50%')
    expect(time.width(5e9, 5e9)).toBe('0.15%')
    expect(time.ticks[0]).toEqual({ at: '0%', label: '0 s', anchor: 'start' })
    expect(time.ticks.at(-1)).toEqual({ at: '100%', label: '10 s', anchor: 'end' })
  })
})
