import { defineConfig } from 'vitest/config'
import { nemesis } from 'vitest-nemesis/plugin'

export default defineConfig({
  plugins: [
    nemesis({
      plan: 'docs/testing-plans/etcd.md',
      sessions: './test-sessions',
      tier: 'smoke',
      gate: 'default',
    }),
  ],
})
