import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { describe } from 'vitest'
import { chromiumOnPath } from './browser.js'

/** What a test may need beyond Node, with how to tell whether it is there and the command that enables it. */
const requirements = {
  docker: {
    present: () => succeeds('docker', ['version', '--format', '{{.Server.Version}}']),
    enable: 'apt-get install docker.io && dockerd &',
  },
  root: { present: () => process.getuid?.() === 0, enable: 'run the tests as root' },
  linux: { present: () => process.platform === 'linux', enable: 'run the tests on Linux' },
  x64: { present: () => process.arch === 'x64', enable: 'run the tests on an x86-64 machine' },
  redis: { present: () => succeeds('redis-server', ['--version']), enable: 'apt-get install redis-server' },
  postgres: { present: hasPostgres, enable: 'apt-get install postgresql' },
  etcd: { present: () => succeeds('etcd', ['--version']), enable: 'apt-get install etcd-server' },
  cc: { present: () => succeeds('cc', ['--version']), enable: 'apt-get install gcc libc6-dev' },
  nft: { present: () => succeeds('nft', ['--version']), enable: 'apt-get install nftables' },
  strace: { present: () => succeeds('strace', ['-V']), enable: 'apt-get install strace' },
  fuse: { present: () => existsSync('/dev/fuse'), enable: 'modprobe fuse' },
  ext4: {
    present: () => existsSync('/dev/loop-control') && succeeds('mkfs.ext4', ['-V']),
    enable: 'modprobe loop; apt-get install e2fsprogs',
  },
  cpu: {
    present: () =>
      ['cpu/cpu.cfs_quota_us', 'cpu/docker/cpu.cfs_quota_us', 'cpu,cpuacct/docker/cpu.cfs_quota_us'].some(
        (file) => existsSync(`/sys/fs/cgroup/${file}`),
      ) || existsSync('/sys/fs/cgroup/cgroup.controllers'),
    enable: 'use a kernel with CPU quotas for control groups (CONFIG_CFS_BANDWIDTH)',
  },
  python: { present: () => succeeds('python3', ['--version']), enable: 'apt-get install python3' },
  busybox: { present: () => existsSync('/bin/busybox'), enable: 'apt-get install busybox-static' },
  compose: {
    present: () => succeeds('docker', ['compose', 'version']) || succeeds('docker-compose', ['version']),
    enable: 'apt-get install docker-compose (Debian), or docker-compose-plugin',
  },
  chromium: { present: () => chromiumOnPath() !== null, enable: 'apt-get install chromium' },
  vitest5: {
    present: () =>
      existsSync(new URL('../fixtures/vitest5/node_modules/vitest/package.json', import.meta.url)),
    enable: 'npm run setup:vitest5',
  },
} as const

export type Requirement = keyof typeof requirements

/** Like `requires`, for what the machine of CI may lack too. */
export function wants(...names: Requirement[]): (title: string, body: () => void) => void {
  const reason = reasonFor(names)
  return reason === null
    ? (title, body) => describe(title, body)
    : (title, body) => describe.skip(`${title} (${reason})`, body)
}

/**
 * `describe` when everything named is there. Otherwise the tests inside are skipped under a title that says what is
 * missing and the command that brings it; with CI=true they fail instead, so that nothing goes unnoticed there.
 */
export function requires(...names: Requirement[]): (title: string, body: () => void) => void {
  const reason = reasonFor(names)
  if (reason !== null && process.env['CI'] === 'true')
    throw new Error(`in CI nothing may be missing: ${reason}`)
  return wants(...names)
}

/** What is missing, and the commands that bring it; null when nothing is. */
function reasonFor(names: readonly Requirement[]): string | null {
  const missing = names.filter((name) => !isPresent(name))
  return missing.length === 0
    ? null
    : missing.map((name) => `needs ${name}: ${requirements[name].enable}`).join('; ')
}

const known = new Map<Requirement, boolean>()

function isPresent(name: Requirement): boolean {
  let present = known.get(name)
  if (present === undefined) {
    present = requirements[name].present()
    known.set(name, present)
  }
  return present
}

/** Debian keeps the server off the PATH, in a directory for each version. */
function hasPostgres(): boolean {
  const debian = '/usr/lib/postgresql'
  return (existsSync(debian) && readdirSync(debian).length > 0) || succeeds('initdb', ['--version'])
}

function succeeds(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 10_000 })
    return true
  } catch {
    // Absent, not executable or not answering: all mean that the test cannot use it.
    return false
  }
}
