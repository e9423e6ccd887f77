/** The share of all runs that would show what `hits` of `runs` have shown, from and to, each 0 to 1. */
export interface Interval {
  readonly from: number
  readonly to: number
}

/** How often an interval may miss the true rate, on both sides together. */
const alpha = 0.05

/**
 * The exact 95% confidence interval of a rate of which `hits` of `runs` independent trials are known.
 *
 * The ends are the rates at which so many hits or more, and so many or fewer, would each come in 2.5% of all cases; found
 * by bisection, to well below any digit that is printed. Throws RangeError when there are more hits than runs.
 *
 * Source: C. J. Clopper and E. S. Pearson, The Use of Confidence or Fiducial Limits, Biometrika 26 (1934).
 */
export function binomialInterval(hits: number, runs: number): Interval {
  if (hits < 0 || hits > runs) throw new RangeError(`${hits} hits of ${runs} runs`)
  return {
    from: hits === 0 ? 0 : rateAt((rate) => 1 - atMost(hits - 1, runs, rate) < alpha / 2),
    to: hits === runs ? 1 : rateAt((rate) => atMost(hits, runs, rate) > alpha / 2),
  }
}

/** The interval in words: `16% to 100%`. */
export function intervalInWords({ from, to }: Interval): string {
  return `${Math.floor(from * 100)}% to ${Math.ceil(to * 100)}%`
}

/** The rate up to which a condition holds. */
function rateAt(below: (rate: number) => boolean): number {
  let [low, high] = [0, 1]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (below(middle)) low = middle
    else high = middle
  }
  return low
}

/**
 * The probability of at most `hits` in `runs` trials, each a hit at this rate (neither 0 nor 1). By logarithms: that of no
 * hit in a thousand trials may be less than the smallest number.
 */
function atMost(hits: number, runs: number, rate: number): number {
  const odds = Math.log(rate) - Math.log1p(-rate)
  let log = runs * Math.log1p(-rate)
  let sum = Math.exp(log)
  for (let count = 1; count <= hits; count++) {
    log += Math.log((runs - count + 1) / count) + odds
    sum += Math.exp(log)
  }
  return sum
}
