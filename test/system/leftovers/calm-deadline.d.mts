export function calmDeadline(ms: number): { passed(): boolean }
