import { defineConfig } from 'vitest/config'
import { nemesis } from 'vitest-nemesis/plugin'

export default defineConfig({
  // One system after the other: two at a time would only wait for each other.
  test: { fileParallelism: false },
  plugins: [nemesis({ sessions: './test-sessions', tier: 'smoke', gate: 'default' })],
})
