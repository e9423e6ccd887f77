/** What keeps clocks of processes from being changed on this machine; null when nothing is known to. */
export function clocksLack(): string | null {
  if (process.platform !== 'linux')
    return `clocks of processes can be changed on Linux only, not on ${process.platform}`
  return process.arch === 'x64'
    ? null
    : `clocks of processes can be changed on x86-64 only, not on ${process.arch}`
}
