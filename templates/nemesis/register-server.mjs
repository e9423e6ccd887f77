// A register over TCP: one JSON request a line, one JSON answer a line. Every write is on disk before it is answered,
// so that it survives a kill. Try what happens without `fsyncSync` or with the map only: does the scenario notice?
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  truncateSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { join } from 'node:path'

const file = join(process.env.DATA_DIR ?? '.', 'register.log')
const values = recover()
const log = openSync(file, 'a')

const server = createServer((socket) => {
  socket.on('error', () => socket.destroy())
  createInterface({ input: socket }).on('line', (line) => {
    const { type, key, value } = JSON.parse(line)
    if (type === 'write') {
      appendFileSync(log, `${JSON.stringify([key, value])}\n`)
      fsyncSync(log)
      values.set(key, value)
    }
    socket.write(`${JSON.stringify({ value: values.get(key) ?? null })}\n`)
  })
})
server.listen(Number(process.env.PORT), '127.0.0.1')
process.on('SIGTERM', () => {
  closeSync(log)
  process.exit(0)
})

/** Reads the log of an earlier life. A last line without its end was never answered, and is cut off. */
function recover() {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole))
  return new Map(
    whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)),
  )
}
