import { expect, test } from 'vitest'
import { claimProposals } from '../../../src/environment/toolbox/claims/proposals.js'

function quotesIn(files: Readonly<Record<string, string>>): string[] {
  return claimProposals(new Map(Object.entries(files))).map(
    ({ quote, category, file, line }) => `${file}:${line} ${category}: ${quote}`,
  )
}

test('quotes sentences that promise something, with the line where each begins', () => {
  const text = [
    '# Guarantees: exactly once',
    '',
    'Orders are kept. Each order is delivered',
    'exactly once to the warehouse. It never',
    'leaves twice.',
    '',
    '- A tenant must not see the orders of another.',
    '- Nothing here.',
    '',
    '| table | is durable and atomic, always |',
    '',
    '```',
    'this code is linearizable and guaranteed',
    '```',
  ].join('\n')
  expect(quotesIn({ 'docs/a.md': text })).toEqual([
    'docs/a.md:3 idempotency: Each order is delivered exactly once to the warehouse.',
    'docs/a.md:4 safety: It never leaves twice.',
    'docs/a.md:7 boundary: A tenant must not see the orders of another.',
  ])
})

test('leaves out what tells people what to do, and documents about the project', () => {
  const promise = 'Every acknowledged write is durable on a majority.'
  expect(
    quotesIn({
      'README.md': 'You must install the durable edition first. A pull request must never be merged by hand.',
      'CONTRIBUTING.md': promise,
      'docs/testing-plans/a.md': promise,
      '.github/a.md': promise,
      'src/a.ts': `// ${promise}`,
    }),
  ).toEqual([])
})

test('takes what its authors guarantee, and knows what is lost for durability', () => {
  expect(
    quotesIn({
      'README.md':
        'We guarantee that every event is delivered in order. We install the durable edition on all machines. An acknowledged write is never lost.',
    }),
  ).toEqual([
    'README.md:1 ordering: We guarantee that every event is delivered in order.',
    'README.md:1 durability: An acknowledged write is never lost.',
  ])
})

test('takes telling words first, one of each file before a second one, each quote once', () => {
  const durable = (what: string) => `The ${what} is durable on every disk.`
  expect(
    quotesIn({
      'a.md': `It never comes back again. ${durable('log')} ${durable('index')}`,
      'b.md': `${durable('journal')} ${durable('log')}`,
    }).map((line) => line.replace(/ durability.*The (\w+).*/, ' $1')),
  ).toEqual(['a.md:1 log', 'b.md:1 journal', 'a.md:1 index', 'a.md:1 safety: It never comes back again.'])
})

test('quotes errors by which a system refuses to break a promise', () => {
  expect(
    quotesIn({
      'a.go': 'var (\n\tErrNotLeader = errors.New("not leader")\n\tErrBadInput = errors.New("bad")\n)\n',
      'a.rs':
        'pub enum Error {\n    /// text\n    EpochNotMatch { a: u8 },\n    Other,\n}\nenum Kind { StaleCommand }\n',
      'a.ts': 'export class LeaseExpiredError extends Error {}\nexport class OddError extends Error {}\n',
      'a.py': 'class DuplicateOrderError(ValueError):\n    pass\n',
      'A.java': 'public class WriteConflictException extends RuntimeException {\n',
      'a_test.go': 'var ErrNotLeader = errors.New("again")\n',
    }),
  ).toEqual([
    'a.go:2 safety: ErrNotLeader = errors.New("not leader")',
    'a.rs:3 safety: EpochNotMatch { a: u8 }',
    'a.ts:1 safety: export class LeaseExpiredError extends Error {}',
    'a.py:1 idempotency: class DuplicateOrderError(ValueError):',
    'A.java:1 isolation: public class WriteConflictException extends RuntimeException',
  ])
})
