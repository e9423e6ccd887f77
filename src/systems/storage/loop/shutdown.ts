import { readFile } from 'node:fs/promises'
import { FaultError } from '../../../errors.js'
import { command } from './command.js'
import { findInPath } from './missing.js'

/**
 * EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: from then on nothing reaches the disk any more, not even the
 * journal (fs/ext4/ioctl.c). Node has no ioctl; perl is part of most distributions, xfs_io has a command for it.
 */
const perlProgram =
  'sysopen(my $d, $ARGV[0], 0) or die "open: $!\\n"; my $how = pack("L", 2); ioctl($d, 0x8004587d, $how) or die "ioctl: $!\\n"'

/** Takes the power off an ext4 file system and shows that it is off. Throws FaultError when it is not. */
export async function shutDown(mountpoint: string): Promise<void> {
  if ((await findInPath('perl')) !== null) await command('perl', ['-e', perlProgram, mountpoint])
  else await command('xfs_io', ['-x', '-c', 'shutdown', mountpoint])
  const table = await readFile('/proc/self/mountinfo', 'utf8')
  const line = table.split('\n').find((candidate) => candidate.split(' ')[4] === mountpoint) ?? ''
  if (/[ ,]shutdown(?:,|$)/.test(line)) return
  throw new FaultError('power-loss', `${mountpoint} was shut down, and the kernel does not show it: ${line}`)
}

/** What the kernel says of the last mount of a loop device: whether it replayed the journal. Null when it cannot be read. */
export async function replayed(device: string): Promise<boolean | null> {
  try {
    const lines = (await command('dmesg', [])).split('\n').filter((line) => line.includes(`(${device})`))
    const off = lines.findLastIndex((line) => line.includes('shut down requested'))
    return lines.slice(off + 1).some((line) => line.includes('recovery complete'))
  } catch {
    // Not everybody may read the kernel's log; the mount itself has worked.
    return null
  }
}
