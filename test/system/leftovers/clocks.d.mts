export function processesWithChangedClock(): number[]
