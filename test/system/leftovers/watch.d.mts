export function watchLeftovers(of: { state: string; temporary: string; docker: boolean }): {
  readonly atWork: Promise<void>
  look(): Promise<readonly string[]>
  remove(): Promise<void>
}
