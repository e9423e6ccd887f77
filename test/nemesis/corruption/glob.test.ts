import { describe, expect, it } from 'vitest'
import { matchesGlob } from '../../../src/nemesis/faults/corruption/glob.js'

describe('patterns of files', () => {
  it.each([
    ['member/wal/*.wal', 'member/wal/0-0.wal'],
    ['**/*.wal', 'member/wal/0-0.wal'],
    ['**/*.wal', '0-0.wal'],
    ['base/**', 'base/1/2'],
    ['dump.rdb', 'dump.rdb'],
    ['log.?', 'log.1'],
    ['a+(b)[c].$', 'a+(b)[c].$'],
  ])('%s matches %s', (pattern, path) => {
    expect(matchesGlob(path, pattern)).toBe(true)
  })

  it.each([
    ['*.wal', 'member/wal/0-0.wal'],
    ['member/*.wal', 'member/wal/0-0.wal'],
    ['dump.rdb', 'dumpxrdb'],
    ['dump.rdb', 'old/dump.rdb'],
    ['log.?', 'log.10'],
    ['log.?', 'log./'],
  ])('%s does not match %s', (pattern, path) => {
    expect(matchesGlob(path, pattern)).toBe(false)
  })
})
