import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import tar from 'tar-stream'
import { afterAll, expect, test } from 'vitest'
import { SystemError } from '../../../src/errors.js'
import { docker, fromDirectory, fromTar, imageFromHost } from '../../../src/systems/docker/index.js'
import { engineAt } from '../../../src/systems/docker/engine.js'
import { ensureImage } from '../../../src/systems/docker/images/ensure.js'
import { requires } from '../../support/requirements.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { cli } from './containers.js'

const tag = `nemesis-test-image-${process.pid}`

requires('docker', 'busybox')('images without a registry', () => {
  afterAll(async () => {
    const names = (await cli('images', '--format', '{{.Repository}}:{{.Tag}}')).split('\n')
    const ours = names.filter((name) => name.startsWith(tag))
    if (ours.length > 0) await cli('rmi', '-f', ...ours)
  })

  const run = (image: string, ...argv: string[]) => cli('run', '--rm', '--network', 'none', image, ...argv)

  test('of programs of this machine, made once, with a shell, libraries and files', async () => {
    const engine = await engineAt(null)
    const extra = await temporaryDirectory()
    await mkdir(join(extra, 'sub'))
    await writeFile(join(extra, 'sub', 'file'), 'from the host')
    await symlink('sub/file', join(extra, 'link'))
    const source = imageFromHost({
      tag: `${tag}-host`,
      binaries: ['env', 'sleep'],
      files: { '/extra': extra },
      command: ['sh', '-c', 'cat /extra/sub/file /extra/link; ls -d /tmp/; stat -c %a /tmp'],
    })
    const name = await ensureImage(engine, source)
    expect(name).toMatch(new RegExp(`^${tag}-host:[0-9a-f]{16}$`))
    expect(await run(name)).toBe('from the hostfrom the host/tmp/\n1777')
    // The real program, not busybox's applet, with its libraries.
    expect(await run(name, 'env', '--version')).toContain('GNU coreutils')

    const { Created: made } = await engine.getImage(name).inspect()
    expect(await ensureImage(engine, source)).toBe(name)
    expect((await engine.getImage(name).inspect()).Created).toBe(made)

    await writeFile(join(extra, 'sub', 'file'), 'changed on the host')
    expect(await ensureImage(engine, source)).not.toBe(name)
  })

  test('of a directory with a Dockerfile, and of a tar file of one', async () => {
    const engine = await engineAt(null)
    const context = await temporaryDirectory()
    const busybox = await readFile('/bin/busybox')
    const dockerfile = 'FROM scratch\nCOPY busybox /bin/busybox\nCMD ["/bin/busybox", "echo", "built"]\n'
    await writeFile(join(context, 'Dockerfile'), dockerfile)
    await writeFile(join(context, 'busybox'), busybox, { mode: 0o755 })
    const source = fromDirectory(context, { tag: `${tag}-dir:1` })
    expect(await docker({ image: source, count: 1, ports: [1] }).missing()).toEqual([])
    expect(await run(await ensureImage(engine, source))).toBe('built')

    const file = join(context, 'context.tar.gz')
    const pack = tar.pack()
    pack.entry({ name: 'Dockerfile' }, dockerfile)
    pack.entry({ name: 'busybox', mode: 0o755 }, busybox)
    pack.finalize()
    await pipeline(pack, createGzip(), createWriteStream(file))
    expect(await run(await ensureImage(engine, fromTar(file, { tag: `${tag}-tar:1` })))).toBe('built')
  })

  test('a build that fails says which step, and what it printed', async () => {
    const engine = await engineAt(null)
    const context = await temporaryDirectory()
    await writeFile(join(context, 'Dockerfile'), 'FROM scratch\nCOPY absent /\n')
    const building = ensureImage(engine, fromDirectory(context, { tag: `${tag}-bad:1` }))
    await expect(building).rejects.toThrow(SystemError)
    await expect(building).rejects.toThrow(/building \S+-bad:1 from .* failed: .*absent/)
  })

  test('an image by name that is not there is missing, with what to do', async () => {
    const missing = await docker({ image: `${tag}-absent:1`, count: 1, ports: [1] }).missing()
    expect(missing).toEqual([{ what: `image ${tag}-absent:1`, hint: expect.stringContaining('docker pull') }])
  })
})
