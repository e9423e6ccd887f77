const longest = 160

/** A text of a user, cut where it gets long. */
export function short(text: string, most: number = longest): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
