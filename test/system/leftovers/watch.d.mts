export function watchLeftovers(of: { state: string; temporary: string; docker: boolean }): {
  look(): Promise<readonly string[]>
  remove(): Promise<void>
}
