// Release 1.0: says its version.
import { createServer } from 'node:http'

createServer((_, response) => response.end('1.0')).listen(Number(process.env.PORT), process.env.HOST)
process.on('SIGTERM', () => process.exit(0))
