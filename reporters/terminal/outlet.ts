const machineReporters = new Set(['json', 'junit', 'tap', 'tap-flat'])

/**
 * The stream that people read: standard output, or standard error when a reporter for machines is active, whose
 * output must stay parsable.
 */
export function outlet(reporters: readonly unknown[]): NodeJS.WriteStream {
  return reporters.some((reporter) => machineReporters.has(nameOf(reporter)))
    ? process.stderr
    : process.stdout
}

/** Vitest's config lists reporters as a name, as name and options, or as an object. */
function nameOf(reporter: unknown): string {
  const name: unknown = Array.isArray(reporter) ? reporter[0] : reporter
  return typeof name === 'string' ? name : ''
}
