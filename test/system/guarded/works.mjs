/** What a guarded run does to its system, by name; each calls `tell` when it is at work. */
export const works = {
  /** Puts a rule, a delay, a stopped node and a killed one in place, and leaves them there. */
  async 'rules and signals'({ lifecycle, network }, tell) {
    await network.block([{ from: 'n1', to: 'n2' }], 'drop')
    await network.delay([{ from: 'n2', to: 'n1' }], 50, 0)
    await lifecycle.pause('n2')
    await lifecycle.kill('n1')
    tell()
  },

  /** Does all that to containers and takes it back, again and again, and changes a clock. */
  async 'comings and goings'({ lifecycle, network, clock }, tell) {
    tell()
    for (;;) {
      const rules = [
        await network.block([{ from: 'n1', to: 'n2' }], 'drop'),
        await network.delay([{ from: 'n2', to: 'n1' }], 50, 0),
        await clock.skew('n1', 3_600_000),
      ]
      await lifecycle.pause('n2')
      await lifecycle.resume('n2')
      for (const rule of rules) await rule.remove()
      await lifecycle.kill('n1')
      await lifecycle.start('n1')
    }
  },

  /** Takes the power of its node again and again. */
  async 'power losses'({ lifecycle, storage }, tell) {
    tell()
    for (;;) {
      await storage.losePower('n1')
      await lifecycle.start('n1')
    }
  },

  /** Disturbs the files of its node in one way after the other, and replaces one of them while the node is down. */
  async 'storage faults'({ lifecycle, storage }, tell) {
    const disturbances = [
      { kind: 'full' },
      { kind: 'slow', delayMs: 50 },
      { kind: 'fail', operation: 'fsync', error: 'EIO' },
    ]
    tell()
    for (let round = 0; ; round += 1) {
      const rule = await storage.disturb('n1', disturbances[round % disturbances.length])
      await rule.remove()
      await lifecycle.kill('n1')
      // There is none when the node was killed while it started for the first time.
      const file = (await storage.files('n1')).find(({ path }) => path.endsWith('.manifest'))
      if (file !== undefined) {
        const replaced = await storage.replace('n1', file.path, Buffer.from('nonsense'))
        await replaced.restore()
      }
      await lifecycle.start('n1')
    }
  },
}
