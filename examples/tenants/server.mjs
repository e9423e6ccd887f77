// The service under test: documents of tenants over HTTP, on disk before they are acknowledged.
//
//   PUT  /tenants/:tenant/documents/:id   stores a document
//   GET  /tenants/:tenant/documents/:id   one document
//   GET  /tenants/:tenant/documents       all documents of the tenant
//   POST /tenants/:tenant/exports         starts an export of them; GET /exports/:number has it when it is done
//   GET  /audit                           what was refused and what was exported
//
// Who asks says so in the header `caller`; a real service would have it from a token.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const exportDelayMs = 5

const file = join(process.env.DATA_DIR, 'documents.ndjson')
const documents = existsSync(file) ? lines(readFileSync(file, 'utf8')) : []
const disk = openSync(file, 'a')
const exports = []
const audit = []

createServer(async (request, response) => {
  const { status, body } = await answer(request).catch((error) => ({ status: 500, body: error.message }))
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}).listen(Number(process.env.PORT), '127.0.0.1')
process.on('SIGTERM', () => {
  closeSync(disk)
  process.exit(0)
})

async function answer(request) {
  const caller = decodeURIComponent(request.headers.caller ?? '')
  const [root, tenant, what, id] = request.url.slice(1).split('/').map(decodeURIComponent)
  if (root === 'audit') return { status: 200, body: audit }
  if (root === 'exports') return exportOf(Number(tenant), caller)
  if (root !== 'tenants') return { status: 404, body: 'there is no such path' }
  if (caller !== tenant) {
    audit.push({ refused: { caller, tenant, what, id: id ?? null } })
    return { status: 403, body: `${caller} is not ${tenant}` }
  }
  if (what === 'exports') return startExport(tenant)
  if (request.method === 'PUT') return store({ tenant, id, text: JSON.parse(await bodyOf(request)) })
  const own = documents.filter((document) => document.tenant === tenant)
  if (id === undefined) return { status: 200, body: own }
  const found = own.find((document) => document.id === id)
  return found === undefined
    ? { status: 404, body: 'there is no such document' }
    : { status: 200, body: found }
}

/** A document that is sent again is stored once. The bug: with PUT=append it is stored as often as it arrives. */
function store(document) {
  const { tenant, id } = document
  const isThere = documents.some((one) => one.tenant === tenant && one.id === id)
  if (isThere && process.env.PUT !== 'append') return { status: 200, body: null }
  writeSync(disk, `${JSON.stringify(document)}\n`)
  fsyncSync(disk)
  documents.push(document)
  return { status: 200, body: null }
}

/** An export is a job: what it has in it is decided later, by code that no longer knows who asked. */
function startExport(tenant) {
  const job = { tenant, documents: null }
  const number = exports.push(job) - 1
  setTimeout(() => {
    job.documents = documents.filter(belongsTo(tenant))
    audit.push({ exported: { tenant, documents: job.documents.length } })
  }, exportDelayMs)
  return { status: 202, body: number }
}

/** The bug: with EXPORT=prefix the tenant `acme` also gets what belongs to `acme2`. */
function belongsTo(tenant) {
  return process.env.EXPORT === 'prefix'
    ? (document) => document.tenant.startsWith(tenant)
    : (document) => document.tenant === tenant
}

function exportOf(number, caller) {
  const job = exports[number]
  if (job === undefined) return { status: 404, body: 'there is no such export' }
  if (job.tenant !== caller) {
    audit.push({ refused: { caller, tenant: job.tenant, what: 'export', id: String(number) } })
    return { status: 403, body: `${caller} is not ${job.tenant}` }
  }
  return job.documents === null ? { status: 202, body: number } : { status: 200, body: job.documents }
}

async function bodyOf(request) {
  let body = ''
  for await (const part of request) body += part
  return body
}

/** Every whole line: the last one may have been cut off by a kill, and was then not acknowledged. */
function lines(text) {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}
