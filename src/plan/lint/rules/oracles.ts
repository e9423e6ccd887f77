import type { PlanScenario } from '../../plan.js'
import type { Text } from '../../position.js'
import { checkerVocabulary, namedIn } from '../names.js'
import { isOpen, saysNothing, type Problem, type Rule } from '../rule.js'

export const oracleMissing: Rule = {
  code: 'oracle-missing',
  asks: 'every scenario has an oracle',
  check: ({ scenarios }) =>
    scenarios
      .filter(({ oracle }) => oracle === null || saysNothing(oracle.text))
      .map(({ at, id, oracle }) => ({
        at: oracle?.at ?? at,
        reason: `${id} has no oracle: a run of it proves nothing`,
        fix: 'add `- **Oracle:** …` with a checker, a threshold or an invariant',
      })),
}

/** What only a person can judge, or what a broken system shows as well. What says that there is none of it is no such thing. */
const vague =
  /(?<!\b(?:no|not|nor|without|never)(?: a| any)? )\b(?:(?:looks?|seems?|(?:is|are|stays?|remains?)(?: all)?) (?:fine|good|ok|okay|right|healthy|normal|sane|plausible|up|green|alive|happy)|by eye|eyeball\w*|visual(?:ly)?|manual(?:ly)?|seems?|works? (?:as expected|correctly|fine)?|behaves? (?:correctly|well|as expected)|should be (?:fine|ok)|as expected|health ?checks? (?:\w+ )?(?:green|pass\w*|ok)|logs? (?:are|is) (?:clean|fine|ok))\b|\bno (?:\w+ )?(?:errors?|problems?|issues?|exceptions?|crash(?:es)?|alerts?|complaints?|surprises)\b(?: (?:in|on|from) (?:the |any )?(?:logs?|metrics|dashboards?))?|\bnothing (?:bad|weird|strange|unusual|breaks?)\b/i

/** What a machine can decide by: a property with a name, a comparison, a statement about all or none, or a number. */
const checkable =
  /\b(?:lineari[sz]\w*|seriali[sz]\w*|sequential\w*|consisten\w*|snapshot isolation|read committed|repeatable read|monotonic\w*|invariants?|assert\w*|propert(?:y|ies)|equal\w*|equivalen\w*|identical|same|match(?:es)?|differ\w*|compar\w*|reconcil\w*|converge\w*|replay\w*|exactly[- ]once|at[- ](?:least|most)|exactly|prefix|(?:total|fifo|log|causal|invocation|commit)[- ]order|in (?:the )?order (?:of|in which)|ordering|lost|missing|duplicat\w*|stale\w*|fenc\w+|exclusi\w+|slo|threshold|p\d\d|percentile|baseline|bootstrap|fair\w*|every|each|none|never|only|sum|count)\b|\bno (?!\w*(?:error|problem|issue|exception|crash|alert)s?\b)\w+|[<>≤≥=]\s*\d|\d+(?:\.\d+)?\s*(?:%|ms\b|s\b|seconds?\b|minutes?\b)/i

export const oracleNotCheckable: Rule = {
  code: 'oracle-not-checkable',
  asks: 'an oracle, also of an arm, is one that a machine can decide by; "the logs look fine" is none',
  check: ({ scenarios }) =>
    scenarios.flatMap((scenario) =>
      oraclesOf(scenario).flatMap(({ of, oracle }): Problem[] => {
        if (isOpen(oracle) || saysNothing(oracle.text)) return []
        const match = vague.exec(oracle.text)
        if (match === null && isCheckable(oracle.text)) return []
        const reason =
          match === null
            ? `the oracle of ${of} names nothing that a machine can decide by`
            : `the oracle of ${of} rests on "${match[0].trim()}"`
        const fix = 'name a checker, an invariant over the final state, or a threshold with its number'
        return [{ at: oracle.at, reason, fix }]
      }),
    ),
}

function oraclesOf({ id, oracle, arms }: PlanScenario) {
  const ofArms = arms.map(({ name, fields }) => ({ of: `arm ${id}/${name}`, oracle: fields.oracle }))
  return [{ of: id, oracle }, ...ofArms].filter(
    (one): one is { of: string; oracle: Text } => one.oracle !== null,
  )
}

function isCheckable(text: string): boolean {
  return checkable.test(text) || namedIn(text, checkerVocabulary).known.length > 0
}
