import {
  faultVocabulary,
  checkerVocabulary,
  modelVocabulary,
  namedIn,
} from '../../dist/src/plan/lint/names.js'
import { lint } from '../../dist/src/plan/lint/lint.js'
import { isWithin, projectRoot } from '../../dist/src/plan/project-root.js'
import { readPlan } from '../../dist/src/plan/read-plan.js'

/** What the properties below are asked of. Throws PlanError for a file that is no plan. */
export async function subjectOf(file) {
  const { plan, source } = await readPlan(file)
  const root = projectRoot(file)
  return { plan, source, findings: lint(plan, source, { within: (target) => isWithin(root, target) }) }
}

/** Each kind of property: what is wrong with a plan by it, in words; an empty list when nothing is. */
export const properties = {
  lint({ findings }, { allow = [] }) {
    return findings
      .filter(({ code }) => !allow.includes(code))
      .map(({ code, at, reason }) => `line ${at.line}: ${code}: ${reason}`)
  },
  mode({ plan }, { is }) {
    const mode = plan.mode?.text ?? 'none'
    return mode.startsWith(is) ? [] : [`its mode is ${mode}`]
  },
  claims({ plan }, { least = 1, categories = [] }) {
    const stated = plan.claims.flatMap((claim) => claim.categories.map(({ text }) => text))
    return [
      ...tooFew('claims', plan.claims, least),
      ...categories.filter((one) => !stated.includes(one)).map((one) => `no claim has the category ${one}`),
    ]
  },
  hypotheses({ plan }, { least }) {
    return tooFew('hypotheses', plan.hypotheses, least)
  },
  scenarios({ plan }, { least = 1, faults = [], checkers = [], models = [] }) {
    const text = (of) => plan.scenarios.map((scenario) => of(scenario)?.text ?? '').join('\n')
    return [
      ...tooFew('scenarios', plan.scenarios, least),
      ...noneOf('fault', faults, namedIn(text(faultsOf), faultVocabulary).known),
      ...noneOf(
        'checker',
        checkers,
        namedIn(
          text(({ model }) => model?.checker),
          checkerVocabulary,
        ).known,
      ),
      ...noneOf(
        'model',
        models,
        namedIn(
          text(({ model }) => model?.model),
          modelVocabulary,
        ).known,
      ),
    ]
  },
  arms({ plan }, { least, surfaces = [] }) {
    const arms = plan.scenarios.flatMap((scenario) => scenario.arms)
    const told = arms
      .map(({ name, fields }) => `${name} ${fields.surfaces?.text ?? ''}`.toLowerCase())
      .join('\n')
    return [
      ...tooFew('arms', arms, least),
      ...surfaces.filter((one) => !told.includes(one)).map((one) => `no arm is about ${one}`),
    ]
  },
  says({ plan, source }, { section, pattern, never = false }) {
    const text = section === undefined ? source : (plan.sections.get(section)?.text ?? '')
    if (new RegExp(pattern, 'i').test(text) !== never) return []
    const where = section === undefined ? 'the plan' : `section ${section}`
    return [`${where} ${never ? 'has' : 'lacks'} what matches /${pattern}/`]
  },
}

function faultsOf({ faults }) {
  return faults
}

function tooFew(what, found, least) {
  return found.length >= least ? [] : [`it has ${found.length} ${what}, not ${least} or more`]
}

/** One of the wanted will do. */
function noneOf(kind, wanted, known) {
  if (wanted.length === 0 || wanted.some((one) => known.includes(one))) return []
  return [`no scenario has the ${kind} ${wanted.join(' or ')}; they have ${known.join(', ') || 'none'}`]
}
