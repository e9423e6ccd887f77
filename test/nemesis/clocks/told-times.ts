import { createConnection } from 'node:net'
import { get } from 'node:http'
import type { Address } from '../../../src/systems/system.js'

const timeoutMs = 3_000

/** The `Date` header of whatever serves HTTP there: whole seconds. */
export function httpDate(address: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    const { host, port } = address
    // A connection of its own each time, as the node may have been restarted.
    const request = get({ host, port, path: '/', agent: false, timeout: timeoutMs }, (response) => {
      response.resume()
      resolve(Date.parse(response.headers.date ?? ''))
    })
    request.on('timeout', () => request.destroy(new Error('no answer in time')))
    request.on('error', reject)
  })
}

/** What is answered to an HTTP request. */
export async function httpText(address: Address, path: string): Promise<string> {
  const answer = await fetch(`http://${address}${path}`, {
    // A connection of its own each time, as the node may have been restarted.
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  return answer.text()
}

/** `TIME` of a Redis server, to the microsecond. */
export function redisTime(address: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: address.host, port: address.port, timeout: timeoutMs })
    let text = ''
    socket.on('timeout', () => socket.destroy(new Error('no answer in time')))
    socket.on('error', reject)
    socket.on('connect', () => socket.write('*1\r\n$4\r\nTIME\r\n'))
    socket.on('data', (chunk) => {
      text += chunk.toString()
      const [, seconds, microseconds] = /^\*2\r\n\$\d+\r\n(\d+)\r\n\$\d+\r\n(\d+)\r\n$/.exec(text) ?? []
      if (seconds === undefined) return
      socket.destroy()
      resolve(Number(seconds) * 1_000 + Number(microseconds) / 1_000)
    })
    socket.on('close', () => reject(new Error(`the connection was closed after ${JSON.stringify(text)}`)))
  })
}
