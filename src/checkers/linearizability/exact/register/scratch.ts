/**
 * Working memory of a checker that serves one part after another: the same array again, longer when it must be, filled
 * with the given number. What an earlier call returned is overwritten, so a checker keeps none of it.
 */
export function reusable(): (length: number, fill: number) => Int32Array {
  let memory = new Int32Array(0)
  return (length, fill) => {
    if (memory.length < length) memory = new Int32Array(Math.max(length, 2 * memory.length))
    return memory.subarray(0, length).fill(fill)
  }
}
