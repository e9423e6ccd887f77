/** Exit codes of `nemesis check`. */
export const exitCode = { holds: 0, violation: 1, unreadable: 2, inconclusive: 3 } as const
export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

/** The code of several results: the first of `order` that occurs, else `holds`. */
export function worst(codes: readonly ExitCode[], order: readonly ExitCode[]): ExitCode {
  return order.find((code) => codes.includes(code)) ?? exitCode.holds
}
