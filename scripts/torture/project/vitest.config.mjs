import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['row.test.mjs'],
    pool: 'forks',
    testTimeout: 180_000,
    // What is ended is the package as it is installed, not what a bundler makes of it.
    server: { deps: { external: [/\/(?:dist|scripts\/(?:faults|rows))/] } },
  },
})
