import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.js'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/support/summary-reporter.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // What is waited for may be late on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
  },
})
