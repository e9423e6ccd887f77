import { expect, it } from 'vitest'
import { nsenter } from '../../../src/systems/netns/nsenter.js'
import { requires } from '../../support/requirements.js'

requires('linux', 'root')('programs in network namespaces', () => {
  it('carry the mark of the run, by which those that outlive it are found', async () => {
    const entry = nsenter({ run: 'marked-run', target: async () => ['--net=/proc/self/ns/net', '--'] })
    const printed = await entry.run('any', ['cat', '/proc/self/environ'])
    expect(printed.split('\0')).toContain('NEMESIS_RUN=marked-run')
    const lines: string[] = []
    const program = await entry.start('any', 'sh', ['-c', 'echo $NEMESIS_RUN; cat'])
    program.onLine((line) => lines.push(line))
    program.end()
    await program.exited
    expect(lines).toEqual(['marked-run'])
  })
})
