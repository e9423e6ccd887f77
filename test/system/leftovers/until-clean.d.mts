export function untilClean(
  leftovers: { look(): Promise<readonly string[]> },
  deadline: { passed(): boolean },
): Promise<{ readonly left: readonly string[]; readonly at: number }>
