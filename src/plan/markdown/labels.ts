/** Words to compare by: lower case, one space between them, without the marks that writers add. */
export function normalized(label: string): string {
  return label
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
