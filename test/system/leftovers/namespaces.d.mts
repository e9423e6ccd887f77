export function rulesIn(path: string): Promise<readonly string[]>
