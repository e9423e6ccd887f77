// What Porcupine (commit 55508eb of 26 June 2026, Go 1.23.5, state hashing) took for histories of
// generate-history.mjs with seed 1: median wall time and peak memory. Measured on 2 cores of a 2.1 GHz Xeon with 24 GiB,
// shared with other work; limits 120 s (60 s for queues) and 10 GiB. Cells that were not run are left out: there a
// smaller history of as many clients had already failed, or one set of bits for each configuration could not fit.

/** Clients of the register kinds, in the order of the columns. */
const registerClients = [5, 10, 20, 50]

const registers = {
  register: {
    1_000: ['1.2 ms, 6 MiB', '43 ms, 11 MiB', '10.9 s, 727 MiB', 'gave up after 163 s, 5.2 GiB'],
    10_000: ['60 ms, 41 MiB', '1.2 s, 317 MiB', 'gave up after 120 s, 9.9 GiB', 'out of 10 GiB'],
    100_000: ['3.3 s, 2.9 GiB', 'out of 10 GiB'],
    1_000_000: ['out of 10 GiB'],
  },
  'register-unknown': {
    1_000: ['1.5 ms, 6 MiB', '44 ms, 10 MiB', '23.9 s, 1.2 GiB', 'gave up after 120 s, 2.3 GiB'],
    10_000: ['83 ms, 44 MiB', '1.1 s, 362 MiB', 'out of 10 GiB'],
    100_000: ['2.3 s, 3.0 GiB', 'out of 10 GiB'],
  },
  'register-stale': {
    1_000: ['6.7 ms, 8 MiB', '109 ms, 31 MiB', '68.4 s, 2.5 GiB', 'gave up after 120 s, 2.3 GiB'],
    10_000: ['296 ms, 123 MiB', '5.1 s, 1.4 GiB', 'out of 10 GiB'],
    100_000: ['out of 10 GiB', 'out of 10 GiB'],
  },
  'register-sparse': {
    1_000: ['1.2 ms, 6 MiB', '1.7 ms, 6 MiB', '4.1 ms, 7 MiB', '1.4 s, 196 MiB'],
    10_000: ['88 ms, 28 MiB', '106 ms, 35 MiB', '410 ms, 126 MiB', 'gave up after 120 s, 9.4 GiB'],
    100_000: ['1.1 s, 1.5 GiB', '2.3 s, 2.2 GiB', '11.5 s, 8.9 GiB'],
    1_000_000: ['out of 10 GiB'],
  },
  'register-unknown-sparse': {
    1_000: ['1.0 ms, 6 MiB', '1.0 ms, 6 MiB', '2.7 ms, 7 MiB', '6.4 s, 460 MiB'],
    10_000: ['85 ms, 26 MiB', '105 ms, 34 MiB', '301 ms, 125 MiB', 'gave up after 120 s, 9.2 GiB'],
    100_000: ['1.9 s, 1.6 GiB', '2.1 s, 2.3 GiB', '15.0 s, 9.9 GiB'],
  },
  'register-stale-sparse': {
    1_000: ['1.5 ms, 6 MiB', '3.3 ms, 7 MiB', '54 ms, 16 MiB', '11.6 s, 835 MiB'],
    10_000: ['57 ms, 39 MiB', '147 ms, 84 MiB', '1.0 s, 521 MiB', 'out of 10 GiB'],
    100_000: ['3.6 s, 2.7 GiB', '5.7 s, 6.9 GiB', 'out of 10 GiB'],
  },
}

const queues = {
  queue: {
    1_000: { 5: 'gave up after 120 s, 6.1 GiB', 50: 'gave up after 60 s, 2.7 GiB' },
    10_000: { 5: 'gave up after 60 s, 8.0 GiB' },
  },
  'queue-sparse': {
    1_000: {
      5: '56 ms, 17 MiB',
      10: '7.2 s, 619 MiB',
      20: 'gave up after 60 s, 3.8 GiB',
      50: 'gave up after 60 s, 4.1 GiB',
    },
    10_000: { 5: 'out of 10 GiB' },
  },
}

/** Porcupine's figure for a history, `-` where none was measured. */
export function porcupineFigure({ kind, operations, clients }) {
  const register = registers[kind]?.[operations]?.[registerClients.indexOf(clients)]
  return register ?? queues[kind]?.[operations]?.[clients] ?? '-'
}
