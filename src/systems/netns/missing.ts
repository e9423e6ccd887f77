import { findExecutable } from '../process/executable.js'
import type { Missing } from '../system.js'

const tools = { ip: 'iproute2', nsenter: 'util-linux', nft: 'nftables' } as const
const systemDirectories = '/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin'

/** What this machine lacks to give processes network namespaces of their own. */
export async function namespacesMissing(): Promise<Missing | null> {
  if (process.platform !== 'linux') {
    return {
      what: 'Linux',
      hint: "network namespaces are a thing of Linux; leave out network: 'namespaces' of processes()",
    }
  }
  if (process.getuid?.() !== 0) {
    return {
      what: 'root',
      hint: "run the tests as root (sudo), or leave out network: 'namespaces' of processes()",
    }
  }
  const path = `${process.env['PATH'] ?? ''}:${systemDirectories}`
  for (const [tool, of] of Object.entries(tools)) {
    if ((await findExecutable(tool, { cwd: '/', path })) === null)
      return { what: tool, hint: `apt-get install ${of}` }
  }
  return null
}
