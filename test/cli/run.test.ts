import { Command } from 'commander'
import { describe, expect, it, vi } from 'vitest'
import { run } from '../../src/cli/run.js'
import { DeclarationError } from '../../src/errors.js'

/** Runs the command line with one subcommand, `try`, that does `action`. */
async function attempt(argv: string[], action: () => void = () => undefined) {
  let errors = ''
  const command = new Command('try').argument('<file>').option('--model <name>').action(action)
  const code = await run([command], argv, (text) => (errors += text))
  return { code, errors }
}

describe('a command line', () => {
  it('ends with 0 when the command is done', async () => {
    expect(await attempt(['try', 'x'])).toEqual({ code: 0, errors: '' })
  })

  it('ends with the code that the command sets', async () => {
    const inconclusive = () => {
      process.exitCode = 3
    }
    expect(await attempt(['try', 'x'], inconclusive)).toEqual({ code: 3, errors: '' })
    process.exitCode = 0
  })

  it.each([
    [['try'], /^nemesis: missing required argument 'file'\n$/],
    [['try', 'x', '--modle', 'y'], /^nemesis: unknown option '--modle' \(Did you mean --model\?\)\n$/],
    [['try', 'x', '--model'], /^nemesis: option '--model <name>' argument missing\n$/],
    [['tyr'], /^nemesis: unknown command 'tyr' \(Did you mean try\?\)\n$/],
  ])('ends %j with 2 and one line', async (argv, line) => {
    const { code, errors } = await attempt(argv)
    expect(code).toBe(2)
    expect(errors).toMatch(line)
  })

  it('says what is wrong and what to do next, in one line', async () => {
    const { code, errors } = await attempt(['try', 'x'], () => {
      throw new DeclarationError('x', 'x.json:3: expected a number\nfound a list', { hint: 'write 3' })
    })
    expect({ code, errors }).toEqual({
      code: 2,
      errors: 'nemesis: x.json:3: expected a number / found a list -> write 3\n',
    })
  })

  it('shows a stack of the unexpected only when asked to', async () => {
    const fail = () => {
      throw new TypeError('x is not a function')
    }
    const { code, errors } = await attempt(['try', 'x'], fail)
    expect(code).toBe(2)
    expect(errors).toMatch(/^nemesis: TypeError: x is not a function -> .*NEMESIS_DEBUG=1.*\n$/)
    vi.stubEnv('NEMESIS_DEBUG', '1')
    expect((await attempt(['try', 'x'], fail)).errors).toContain('run.test.ts')
    vi.unstubAllEnvs()
  })
})
