import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import pc from 'picocolors'
import { expect, it } from 'vitest'
import { wrapped } from '../../../reporters/terminal/wrapped.js'

const terminal = (columns: number) => ({ isTTY: true, columns })

it('breaks a line between words, and indents what follows', () => {
  const line =
    'nemesis  PASS-smoke  keeps_orders  C1  kill n1 landed (57 operations met it); linearizable judged 723'
  expect(wrapped(line, terminal(60)).split('\n')).toEqual([
    'nemesis  PASS-smoke  keeps_orders  C1  kill n1 landed (57',
    '         operations met it); linearizable judged 723',
  ])
})

it('does not count colours', () => {
  const colours = pc.createColors(true)
  const line = `${colours.dim('nemesis')}  ${colours.green('PASS-smoke')}  ${colours.bold('keeps_orders')}  C1`
  expect(wrapped(line, terminal(40))).toBe(line)
})

it('leaves a word whole that is longer than a row', () => {
  const path = `test-sessions/${'orders/'.repeat(20)}report.md`
  expect(wrapped(`         report  ${path}`, terminal(80)).split('\n')).toEqual([
    '         report',
    `         ${path}`,
  ])
})

it('gives files, pipes and very narrow windows one line', () => {
  const line = 'nemesis  PASS-smoke  '.repeat(20)
  expect(wrapped(line, { isTTY: false, columns: 80 })).toBe(line)
  expect(wrapped(line, terminal(10))).toBe(line)
})

it('loses no word, and fits every row whose words fit', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,25}$/), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(words, fc.integer({ min: 40, max: 120 }), (all, columns) => {
      const rows = wrapped(`nemesis  ${all.join(' ')}`, terminal(columns)).split('\n')
      expect(rows.flatMap((row) => row.trim().split(/ +/))).toEqual(['nemesis', ...all])
      for (const row of rows) expect(stripVTControlCharacters(row).length).toBeLessThanOrEqual(columns)
    }),
  )
})
