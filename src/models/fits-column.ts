/** Whether a number is a whole one that a column of 32 bits holds, short of the largest, which means never. */
export function fitsColumn(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 31 - 1
}
