import type { Random } from '../random/random.js'

/**
 * Draws ranks 0 … count - 1 so that rank r comes up in proportion to 1 / (r + 1): Zipf's law with exponent 1.
 * With 16 ranks the first gets 30% of the draws and the last 2%.
 */
export function zipf(count: number): (random: Random) => number {
  const cumulative: number[] = []
  let total = 0
  for (let rank = 0; rank < count; rank++) cumulative.push((total += 1 / (rank + 1)))
  return (random) => {
    const point = random.float() * total
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (cumulative[middle]! > point) high = middle
      else low = middle + 1
    }
    return low
  }
}
