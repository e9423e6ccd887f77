import { defineConfig } from 'vitest/config'
import { nemesis } from 'vitest-nemesis/plugin'

export default defineConfig({
  plugins: [nemesis()],
})
