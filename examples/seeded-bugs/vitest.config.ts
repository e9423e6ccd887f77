import { defineConfig } from 'vitest/config'
import { nemesis } from 'vitest-nemesis/plugin'

export default defineConfig({
  plugins: [nemesis({ sessions: './test-sessions', tier: 'smoke', gate: 'default' })],
})
