import { describe, expect, it } from 'vitest'
import { confusions } from '../../src/boundary/confusable/confusion.js'
import { confusionNotes, controlMistakes } from '../../src/catalog/boundaries.js'
import { faultNotes } from '../../src/catalog/fault-notes.js'
import { checkerNames, checkersOf } from '../../src/catalog/oracle-pattern.js'
import { oraclePatterns } from '../../src/catalog/oracle-patterns.js'
import { pitfalls } from '../../src/catalog/pitfalls/index.js'
import { symptoms } from '../../src/catalog/symptoms.js'
import { techniqueIds } from '../../src/catalog/technique.js'
import { techniques } from '../../src/catalog/techniques/index.js'
import { choices } from '../../src/checkers/picker.js'
import { modelNames } from '../../src/models/named.js'
import { faults } from '../../src/nemesis/faults/index.js'

const everyTechnique = Object.values(techniques)
const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index)

/** Where a source may be: the pages of a DOI, a conference, an issue or a repository. */
const plausible = {
  paper: /^https:\/\/(doi\.org\/10\.\d{4,9}\/\S+|www\.usenix\.org\/conference\/[\w-]+\/\S+)$/,
  tool: /^https:\/\/(github\.com\/[\w.-]+\/[\w.-]+|antithesis\.com\/)$/,
  sighting:
    /^https:\/\/(github\.com\/[\w.-]+\/[\w.-]+\/(issues|pull)\/\d+|jepsen\.io\/analyses\/[\w.-]+|aphyr\.com\/posts\/\d+-[\w-]+)$/,
} as const

describe('techniques', () => {
  it('are the eight, each complete', () => {
    expect(Object.keys(techniques)).toEqual([...techniqueIds])
    for (const [id, technique] of Object.entries(techniques)) {
      expect(technique.id).toBe(id)
      const { when, findsWell, misses, tools, papers, checklist } = technique
      for (const part of [when, findsWell, misses, tools, papers, checklist]) {
        expect(part.length, id).toBeGreaterThan(1)
      }
    }
  })

  it('cite tools and papers by addresses that can be', () => {
    for (const { tools, papers } of everyTechnique) {
      for (const { url, name } of tools) expect(url, name).toMatch(plausible.tool)
      for (const { url, title, year, authors } of papers) {
        expect(url, title).toMatch(plausible.paper)
        expect(authors, title).toMatch(/^[A-Z]\. /)
        expect(year, title).toBeGreaterThanOrEqual(1978)
        expect(year, title).toBeLessThanOrEqual(new Date().getFullYear())
      }
    }
  })

  it('give one address to one title', () => {
    const sources = everyTechnique.flatMap(({ tools, papers }) => [
      ...tools.map(({ url, name }) => [url, name] as const),
      ...papers.map(({ url, title }) => [url, title] as const),
    ])
    const byUrl = new Map(sources)
    for (const [url, name] of sources) expect(byUrl.get(url)).toBe(name)
  })

  it('say what only the package has by names that it has', () => {
    const offered = new Set([...checkerNames.map(({ name }) => name), ...Object.keys(faults)])
    const said = everyTechnique.flatMap(({ here }) => [...here.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)])
    const names = said.map((match) => match[1] ?? '').filter((name) => !name.startsWith('vitest-'))
    expect(names.length).toBeGreaterThan(5)
    expect(names.filter((name) => !offered.has(name))).toEqual([])
  })
})

describe('pitfalls', () => {
  it('are sixteen, each with an id and a title of its own', () => {
    expect(pitfalls).toHaveLength(16)
    const named = [...pitfalls.map(({ id }) => id), ...techniqueIds]
    expect(repeated(named)).toEqual([])
    expect(repeated(pitfalls.map(({ title }) => title))).toEqual([])
    for (const id of named) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/)
  })

  it.each(pitfalls)(
    '$id names what there is',
    ({ models, checkers, faults: hit, techniques: ways, seen }) => {
      const known = checkerNames.map(({ name }) => name)
      expect(models.filter((name) => !modelNames.includes(name))).toEqual([])
      expect(checkers.filter((name) => !known.includes(name))).toEqual([])
      expect(hit.filter((name) => !Object.hasOwn(faults, name))).toEqual([])
      for (const list of [models, checkers, hit, ways]) {
        expect(list.length).toBeGreaterThan(0)
        expect(repeated(list)).toEqual([])
      }
      expect(seen.length).toBeGreaterThan(0)
      for (const { url, what } of seen) expect(url, what).toMatch(plausible.sighting)
    },
  )

  it.each(pitfalls)('$id is found by checkers that fit', ({ models, checkers, categories }) => {
    const rows = choices.filter(
      (row) => row.models === 'any' || row.models.some((name) => models.includes(name)),
    )
    const fitting = rows.flatMap((row) => categories.flatMap((category) => row.checkers[category] ?? []))
    expect(checkers.filter((name) => fitting.includes(name))).not.toEqual([])
  })

  it.each(pitfalls)('$id has a hypothesis with places to fill', ({ hypothesis }) => {
    expect(hypothesis).toMatch(/^If .*<[^<>]+>.*\.$/)
  })
})

describe('symptoms', () => {
  it('lead to pitfalls and techniques that there are, and to all of them', () => {
    const ids = pitfalls.map(({ id }) => id)
    for (const row of symptoms) {
      expect(row.pitfalls.filter((id) => !ids.includes(id))).toEqual([])
      expect(row.techniques.length, row.symptom).toBeGreaterThan(0)
    }
    const reached = new Set(symptoms.flatMap((row) => row.pitfalls))
    expect(ids.filter((id) => !reached.has(id))).toEqual([])
    const chosen = new Set(symptoms.flatMap((row) => row.techniques))
    expect(techniqueIds.filter((id) => !chosen.has(id))).toEqual([])
  })
})

describe('oracle patterns', () => {
  it('are the fourteen, and every checker implements one', () => {
    expect(oraclePatterns.map(({ number }) => number)).toEqual(
      Array.from({ length: 14 }, (_, index) => index + 1),
    )
    const implemented = oraclePatterns.flatMap(checkersOf).map(({ factory }) => factory)
    expect(implemented.toSorted()).toEqual(checkerNames.map(({ factory }) => factory).toSorted())
    expect(oraclePatterns.filter((pattern) => checkersOf(pattern).length === 0)).toEqual([])
  })
})

describe('faults and boundaries', () => {
  it('are all there', () => {
    expect(faultNotes.map(({ name }) => name)).toEqual(Object.keys(faults))
    expect(Object.keys(confusionNotes)).toEqual([...confusions])
    expect(controlMistakes).toHaveLength(5)
  })

  it('tell both sides of the evidence', () => {
    for (const { injector, victim } of faultNotes) expect(injector).not.toBe(victim)
  })
})
