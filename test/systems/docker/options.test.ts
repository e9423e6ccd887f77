import { describe, expect, test } from 'vitest'
import { DeclarationError, EnvironmentError } from '../../../src/errors.js'
import {
  docker,
  fromDirectory,
  imageFromHost,
  type DockerOptions,
} from '../../../src/systems/docker/index.js'
import { ensureImage } from '../../../src/systems/docker/images/ensure.js'
import { engineAt } from '../../../src/systems/docker/engine.js'

const right: DockerOptions = { image: 'orders:dev', count: 3, ports: [7000] }

describe('docker()', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['no nodes', { count: 0 }, /count/],
    ['no ports', { ports: [] }, /name at least one port/],
    ['a port twice', { ports: [1, 1] }, /a port is named twice/],
    ['a pool that is no range', { pool: '10.213.0.0' }, /IPv4 range such as/],
    ['too few names', { names: ['a'] }, /as many names as nodes/],
    ['a name twice', { names: ['a', 'a', 'b'] }, /a name is given twice/],
    ['a reserved name', { names: ['clients', 'a', 'b'] }, /stands for whatever drives/],
    ['an address that is no engine', { host: 'box' }, /not an engine's address/],
    ['an unknown option', { image2: 'x' }, /image2/],
    ['an environment that is no function', { env: {} }, /env/],
    [
      'an image name with a version',
      { image: imageFromHost({ tag: 'a:1', binaries: ['sh'] }) },
      /without a version/,
    ],
  ])('refuses %s', (_, wrong, message) => {
    const declare = () => docker({ ...right, ...wrong })
    expect(declare).toThrow(DeclarationError)
    expect(declare).toThrow(message)
  })

  test.each(['unix:///nonexistent/docker.sock', 'tcp://127.0.0.1:1'])(
    'says how to start the engine when %s is dead',
    async (host) => {
      const missing = await docker({ ...right, host }).missing()
      expect(missing).toHaveLength(1)
      expect(missing[0]?.what).toContain(`${host} does not answer`)
      expect(missing[0]?.hint).toMatch(/start|DOCKER_HOST/)
    },
  )
})

describe('images that cannot be made', () => {
  test('name the Dockerfile that is not there, and the program', async () => {
    const engine = await engineAt('unix:///nonexistent/docker.sock')
    const directory = ensureImage(engine, fromDirectory('/nonexistent', { tag: 'x' }))
    await expect(directory).rejects.toThrow(/\/nonexistent\/Dockerfile/)
    const host = ensureImage(engine, imageFromHost({ tag: 'x', binaries: ['no-such-program'] }))
    await expect(host).rejects.toThrow(EnvironmentError)
    await expect(host).rejects.toThrow(/no-such-program is not installed/)
  })
})
