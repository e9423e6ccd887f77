// Release 2.0: says its version, and since when it runs.
import { createServer } from 'node:http'

const started = new Date().toISOString()
createServer((request, response) => response.end(request.url === '/started' ? started : '2.0')).listen(
  Number(process.env.PORT),
  process.env.HOST,
)
process.on('SIGTERM', () => process.exit(0))
