/** In each of these the kernel lets a group run for its quota. */
export const periodUs = 100_000

/** The kernel's smallest quota. */
const leastUs = 1_000

/** Microseconds of each period that so many CPUs come to. */
export function quotaUs(cpus: number): number {
  return Math.max(leastUs, Math.round(cpus * periodUs))
}
