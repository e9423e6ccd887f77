import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, read, write, writevSync } from 'node:fs'
import { parseRequest, replyHeader, requestBytesMax, type Request } from './protocol.js'
import { errnoOf } from './refusal.js'

/** Requests that are read while another one is being answered. */
const readers = 2

/** What answers the kernel's requests; see `Requests`. */
export interface Answerer {
  delayOf(request: Request): number
  answer(request: Request): Buffer | null
}

/** The kernel's side of a mounted file system. */
export interface Device {
  /** Sends a message of our own. Resolves when the kernel has taken it, also when it has no use for it. */
  notify(message: Buffer): Promise<void>
  /** Resolves when the file system is no longer mounted anywhere. */
  readonly unmounted: Promise<void>
}

/**
 * Mounts a file system on a directory and answers what is asked of it: the descriptor of /dev/fuse is handed to mount(8),
 * so no library is needed. Needs root. Rejects with what mount(8) said.
 */
export async function mountDevice(mountpoint: string, answerer: Answerer): Promise<Device> {
  const descriptor = openSync('/dev/fuse', 'r+')
  // The kernel asks from the first moment on, and mount(8) may look at what it has mounted.
  const unmounted = serve(descriptor, answerer)
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions,nosuid,nodev'
  const mount = spawn('mount', ['-i', '-t', 'fuse', '-o', options, 'nemesis-disk', mountpoint], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
  })
  let said = ''
  mount.stderr?.on('data', (chunk) => (said += String(chunk)))
  const [code] = (await once(mount, 'close')) as [number | null]
  if (code !== 0) throw new Error(`mount: ${said.trim() || `it ended with ${code}`}`)
  return {
    unmounted,
    notify: (message) =>
      new Promise((resolve, reject) => {
        // Not from this thread: the kernel may wait for pages that it has asked us for.
        write(descriptor, message, (error) => {
          // ENOENT: the kernel knows nothing of the file any more.
          if (error === null || error.code === 'ENOENT') resolve()
          else reject(error)
        })
      }),
  }
}

function serve(descriptor: number, answerer: Answerer): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (buffer: Buffer): void => {
      read(descriptor, buffer, 0, buffer.length, null, (error, bytes) => {
        if (error === null) take(descriptor, answerer, buffer.subarray(0, bytes))
        // ENODEV: unmounted. EPERM: not mounted yet, which ends with the mount. ENOENT, EINTR: the request was withdrawn.
        else if (error.code === 'ENODEV') return resolve()
        else if (error.code === 'EPERM') return void setTimeout(next, 1, buffer)
        else if (error.code !== 'ENOENT' && error.code !== 'EINTR' && error.code !== 'EAGAIN') {
          return reject(error)
        }
        next(buffer)
      })
    }
    for (let reader = 0; reader < readers; reader += 1) next(Buffer.alloc(requestBytesMax))
  })
}

function take(descriptor: number, answerer: Answerer, bytes: Buffer): void {
  const request = parseRequest(bytes)
  const delayMs = answerer.delayOf(request)
  if (delayMs === 0) return reply(descriptor, answerer, request)
  // The buffer is used again for the next request.
  const kept = parseRequest(Buffer.from(bytes))
  setTimeout(() => reply(descriptor, answerer, kept), delayMs)
}

function reply(descriptor: number, answerer: Answerer, request: Request): void {
  let data: Buffer | null = null
  let errno = 0
  try {
    data = answerer.answer(request)
    if (data === null) return
  } catch (error) {
    errno = errnoOf(error)
    data = Buffer.alloc(0)
  }
  try {
    const parts = [replyHeader(request.unique, errno, data.length), data]
    writevSync(descriptor, data.length === 0 ? parts.slice(0, 1) : parts)
  } catch (error) {
    // ENOENT: whoever asked does not wait any more. ENODEV: unmounted in between.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENODEV') throw error
  }
}
