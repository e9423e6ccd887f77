import { createServer, type Socket } from 'node:net'
import { eachLine } from './lines.js'
import { RegisterError, type Reply, type Request } from './protocol.js'
import { Replica } from './replica.js'
import { Service } from './service.js'
import { settingsFrom } from './settings.js'

/** One node of the register. Started as `node dist/server.js` with the settings in its environment. */
const settings = settingsFrom(process.env)
const replica = await Replica.open(settings.node, { directory: settings.dataDir, sync: settings.sync })
const service = new Service(settings, replica)

const server = createServer({ noDelay: true }, serve)
server.listen(settings.port, '127.0.0.1', () => {
  console.log(`${replica.writer} listens on ${settings.port}; read=${settings.read}`)
})
process.once('SIGTERM', () => process.exit(0))
await service.keepRepairing()

function serve(socket: Socket): void {
  // A connection that breaks takes its answers with it: whoever asked sees the loss on its own side.
  socket.on('error', (error) => console.log(`connection lost: ${error.message}`))
  eachLine(socket, (line) => {
    const request = parse(line)
    if (request === null) return void socket.destroy()
    void answer(request).then((reply) => socket.write(`${JSON.stringify(reply)}\n`))
  })
}

type Numbered = Request & { readonly id: number }

/** Null for a line that is no JSON: the stream was cut or tampered with, and its connection is of no use. */
function parse(line: string): Numbered | null {
  try {
    return JSON.parse(line) as Numbered
  } catch {
    console.log(`closing a connection that sent ${JSON.stringify(line.slice(0, 80))}`)
    return null
  }
}

/** Anything but a RegisterError, such as a disk that fails, ends the node: it may no longer promise anything. */
async function answer({ id, ...request }: Numbered): Promise<Reply> {
  try {
    return { id, result: await service.handle(request) }
  } catch (error) {
    if (!(error instanceof RegisterError)) throw error
    return { id, error: { code: error.code, message: error.message } }
  }
}
