/**
 * How long a system tool such as `nft` or `ip` may take. They answer in milliseconds; on a machine that is overloaded
 * they were seen to take more than fifteen seconds, which says nothing about the fault.
 */
export const toolWithinMs = 45_000
