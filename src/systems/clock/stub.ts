import { assemble, imm32, int64, type Code } from './assemble.js'
import type { Bases, ClockChange } from './change.js'

/** Marks changed code, followed by the eight bytes that are a rule's own. */
const mark = Buffer.from('nemesis\0', 'latin1')
export const tagBytes = mark.length + 8

const perSecond = 1_000_000_000
const syscall = [0x0f, 0x05]
const callNumbers = { clockGettime: 228, gettimeofday: 96 }

/** Clocks by their numbers in clock_gettime(2); those left out (CPU time, raw monotonic time, TAI, devices) stay as they are. */
const clockFamilies = [
  'realtime',
  'monotonic',
  null,
  null,
  null, // raw: nothing in Node.js tells where it stands
  'realtime', // coarse
  'monotonic', // coarse
  'boottime',
  'realtime', // alarm
  'boottime', // alarm
] as const

const families = ['realtime', 'monotonic', 'boottime'] as const
const untouched = 0xff

/**
 * The three functions of the x86-64 vDSO that tell the time, for a changed clock: labels `clock_gettime`,
 * `gettimeofday`, `time`, and `tag` for the bytes by which the code is recognized. They ask the kernel by a real system
 * call and then work out the changed time. They keep nothing in memory and use only registers that a callee may
 * overwrite, so any number of threads may be in them, whatever language they run.
 */
export function clockCode(change: ClockChange, bases: Bases, id: Buffer): Code {
  const records = clockFamilies.length
  const recordOf = clockFamilies.map((family) =>
    family === null ? untouched : records + 16 * families.indexOf(family),
  )
  return assemble([
    // int clock_gettime(edi: clock, rsi: struct timespec *)
    { label: 'clock_gettime' },
    [0xb8, ...imm32(callNumbers.clockGettime), ...syscall],
    [0x48, 0x85, 0xc0], // test rax, rax: an error is passed on
    { op: [0x0f, 0x85], to: 'return' }, // jnz
    [0x89, 0xff], // mov edi, edi: negative clocks become large numbers
    [0x83, 0xff, clockFamilies.length - 1], // cmp edi, last
    { op: [0x0f, 0x87], to: 'succeed' }, // ja
    { op: [0x4c, 0x8d, 0x05], to: 'families' }, // lea r8, [rip + families]
    [0x41, 0x0f, 0xb6, 0x04, 0x38], // movzx eax, byte [r8 + rdi]
    [0x3c, untouched], // cmp al, untouched
    { op: [0x0f, 0x84], to: 'succeed' }, // je
    [0x49, 0x01, 0xc0], // add r8, rax: r8 -> base, offset of the family
    [0x4d, 0x8b, 0x08], // mov r9, [r8]
    [0x48, 0x69, 0x06, ...imm32(perSecond)], // imul rax, [rsi], 1e9
    [0x48, 0x03, 0x46, 0x08], // add rax, [rsi + 8]
    [0x4c, 0x29, 0xc8], // sub rax, r9
    [0xb9, ...imm32(change.numerator), 0x48, 0xf7, 0xe9], // mov ecx, numerator; imul rcx: 128 bits in rdx:rax
    [0xb9, ...imm32(change.denominator), 0x48, 0xf7, 0xf9], // mov ecx, denominator; idiv rcx
    [0x4c, 0x01, 0xc8], // add rax, r9
    [0x49, 0x03, 0x40, 0x08], // add rax, [r8 + 8]
    [0x48, 0x99, 0xb9, ...imm32(perSecond), 0x48, 0xf7, 0xf9], // cqo; mov ecx, 1e9; idiv rcx
    [0x48, 0x85, 0xd2], // test rdx, rdx
    { op: [0x0f, 0x89], to: 'store' }, // jns
    [0x48, 0x01, 0xca, 0x48, 0xff, 0xc8], // add rdx, rcx; dec rax: before the epoch nanoseconds still count forward
    { label: 'store' },
    [0x48, 0x89, 0x06, 0x48, 0x89, 0x56, 0x08], // mov [rsi], rax; mov [rsi + 8], rdx
    { label: 'succeed' },
    [0x31, 0xc0], // xor eax, eax
    { label: 'return' },
    [0xc3],
    { label: 'families' },
    recordOf,
    ...families.map((family) => [
      ...int64(bases[family]),
      ...int64(family === 'realtime' ? change.offset : 0n),
    ]),
    { label: 'tag' },
    [...mark, ...id],

    // int gettimeofday(rdi: struct timeval *, rsi: struct timezone *)
    { label: 'gettimeofday' },
    [0xb8, ...imm32(callNumbers.gettimeofday), ...syscall],
    [0x48, 0x85, 0xc0],
    { op: [0x0f, 0x85], to: 'return' }, // jnz
    [0x48, 0x85, 0xff], // test rdi, rdi
    { op: [0x0f, 0x84], to: 'return' }, // jz
    [0x57, 0x48, 0x83, 0xec, 0x10], // push rdi; sub rsp, 16
    [0x31, 0xff, 0x48, 0x89, 0xe6], // xor edi, edi; mov rsi, rsp
    { op: [0xe8], to: 'clock_gettime' }, // call
    [0x48, 0x8b, 0x44, 0x24, 0x08, 0x48, 0x99], // mov rax, [rsp + 8]; cqo
    [0xb9, ...imm32(1_000), 0x48, 0xf7, 0xf9], // mov ecx, 1000; idiv rcx
    [0x48, 0x8b, 0x0c, 0x24], // mov rcx, [rsp]
    [0x48, 0x83, 0xc4, 0x10, 0x5f], // add rsp, 16; pop rdi
    [0x48, 0x89, 0x0f, 0x48, 0x89, 0x47, 0x08], // mov [rdi], rcx; mov [rdi + 8], rax
    [0x31, 0xc0, 0xc3],

    // time_t time(rdi: time_t *)
    { label: 'time' },
    [0x57, 0x48, 0x83, 0xec, 0x10],
    [0x31, 0xff, 0x48, 0x89, 0xe6],
    { op: [0xe8], to: 'clock_gettime' },
    [0x48, 0x8b, 0x04, 0x24], // mov rax, [rsp]
    [0x48, 0x83, 0xc4, 0x10, 0x5f],
    [0x48, 0x85, 0xff, 0x74, 0x03, 0x48, 0x89, 0x07], // test rdi, rdi; jz over; mov [rdi], rax
    [0xc3],
  ])
}
