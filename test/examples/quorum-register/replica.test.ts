import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Replica } from '../../../examples/quorum-register/src/replica.js'
import { temporaryDirectory } from '../../support/temporary.js'

it('has every version that it acknowledged when it starts again, and signs writes with a new name', async () => {
  const directory = await temporaryDirectory()
  const first = await Replica.open('n1', { directory })
  await first.store('a', { timestamp: [1, first.writer], value: 'old' })
  await first.store('a', { timestamp: [2, first.writer], value: 'new' })

  const second = await Replica.open('n1', { directory })
  expect(second.query('a')).toEqual({ timestamp: [2, 'n1.1'], value: 'new' })
  expect([first.writer, second.writer]).toEqual(['n1.1', 'n1.2'])
})

it('drops a line that a crash cut off, and keeps writing after it', async () => {
  const directory = await temporaryDirectory()
  const file = join(directory, 'register.ndjson')
  const first = await Replica.open('n1', { directory })
  await first.store('a', { timestamp: [1, 'n1.1'], value: 1 })
  await appendFile(file, '{"key":"a","version":{"timest')

  const second = await Replica.open('n1', { directory })
  await second.store('b', { timestamp: [1, 'n1.2'], value: 2 })
  const third = await Replica.open('n1', { directory })
  expect(third.timestamps()).toEqual({ a: [1, 'n1.1'], b: [1, 'n1.2'] })
  for (const line of (await readFile(file, 'utf8')).trim().split('\n')) JSON.parse(line)
})

it('keeps the newer of two versions, whichever comes last', async () => {
  const replica = await Replica.open('n1', { directory: await temporaryDirectory() })
  const newer = { timestamp: [3, 'n2.1'], value: 'newer' } as const
  await Promise.all([
    replica.store('a', newer),
    replica.store('a', { timestamp: [3, 'n1.1'], value: 'older' }),
    replica.store('a', { timestamp: [2, 'n3.1'], value: 'oldest' }),
  ])
  expect(replica.query('a')).toEqual(newer)
})
