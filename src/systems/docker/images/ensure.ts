import { createReadStream, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { EnvironmentError, messageOf, SystemError } from '../../../errors.js'
import type { Missing } from '../../system.js'
import { statusOf, type Engine } from '../engine.js'
import { answerOf } from './answer.js'
import { closureOf } from './closure.js'
import { ensureHostImage } from './host.js'
import { hasImage } from './present.js'
import type { ImageSource } from './source.js'

/**
 * Sees to it that the engine has the image, and returns the name to start containers from. Nothing is pulled from a
 * registry. Throws EnvironmentError when a named image is not there, SystemError when making one fails.
 */
export async function ensureImage(engine: Engine, image: string | ImageSource): Promise<string> {
  if (typeof image === 'string') {
    if (await hasImage(engine, image)) return image
    throw new EnvironmentError(`image ${image}`, `the engine has no image ${image}`, pullHint(image))
  }
  if (image.kind === 'host') return ensureHostImage(engine, image)
  const absent = sourceMissing(image)
  if (absent !== null) throw new EnvironmentError(absent.what, `there is no ${absent.what}`, absent.hint)
  const building = `building ${image.tag} from ${image.kind === 'directory' ? image.dir : image.file}`
  const context =
    image.kind === 'directory'
      ? { context: image.dir, src: readdirSync(image.dir) }
      : createReadStream(image.file)
  try {
    const stream = await engine.buildImage(context, { t: image.tag, labels: { 'nemesis.image': image.kind } })
    await answerOf(stream, building)
  } catch (error) {
    if (statusOf(error) === null) throw error
    throw new SystemError('docker-image', `${building} failed: ${messageOf(error)}`, { cause: error })
  }
  return image.tag
}

/** What keeps `ensureImage` from giving the image; null when it is there or can be made. */
export async function imageMissing(engine: Engine, image: string | ImageSource): Promise<Missing | null> {
  if (typeof image !== 'string') return sourceMissing(image)
  return (await hasImage(engine, image)) ? null : { what: `image ${image}`, hint: pullHint(image) }
}

function pullHint(image: string): string {
  return `docker pull ${image}, docker build -t ${image} ., or docker load; or give docker() a fromDirectory() image`
}

function sourceMissing(image: ImageSource): Missing | null {
  if (image.kind === 'host') {
    try {
      closureOf(image.binaries, image.files)
      return null
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error
      return { what: error.missing, hint: error.hint ?? '' }
    }
  }
  const file = image.kind === 'directory' ? path.join(image.dir, 'Dockerfile') : image.file
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return null
  return {
    what: file,
    hint: `the image ${image.tag} is built from it: check the path (it is relative to ${process.cwd()})`,
  }
}
