import { isExplicitNone, isOpen, isOpenText, type Rule } from '../rule.js'

export const environmentIncomplete: Rule = {
  code: 'environment-incomplete',
  asks: 'section 6b is a table, or says `None.`; a requirement has a version floor (`any` will do) and a hint how to install it',
  check: ({ environment, sections }) => {
    const section = sections.get('6b')
    const isBlank = section === undefined || section.lines === 0
    if (environment.length === 0 && !isBlank && !isExplicitNone(section.text) && !isOpenText(section.text)) {
      const fix = 'add `| Requirement | Version floor | Scenarios | Install hint |`, or write `None.`'
      return [{ at: section.at, reason: 'section 6b has no table', fix }]
    }
    return environment.flatMap(({ at, requirement, floor, install }) => {
      const lacks = [
        ...(requirement === null ? ['a name'] : []),
        ...(floor === null ? ['a version floor'] : []),
        ...(install === null ? ['an install hint'] : []),
      ]
      if (lacks.length === 0 || isOpen(requirement)) return []
      const reason = `${requirement?.text ?? 'a requirement'} lacks ${lacks.join(', ')}`
      return [{ at, reason, fix: 'say from which version on, and how to get it' }]
    })
  },
}

export const environmentUnused: Rule = {
  code: 'environment-unused',
  asks: 'every requirement of section 6b is one that a scenario has',
  check: ({ environment }) =>
    environment
      .filter(({ scenarios }) => scenarios.length === 0)
      .map(({ at, requirement }) => ({
        at,
        reason: `no scenario uses ${requirement?.text ?? 'a requirement'}`,
        fix: 'name the scenarios, or `all`, or take the row out',
      })),
}
