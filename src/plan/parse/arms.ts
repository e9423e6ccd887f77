import { normalized } from '../markdown/labels.js'
import type { Part } from '../markdown/parts.js'
import { referencesIn } from '../markdown/references.js'
import { tablesIn, type PlanTable } from '../markdown/tables.js'
import { armFields, type ArmField, type PlanArm } from '../plan.js'
import type { Text } from '../position.js'

/** How a plan names each field of the boundary matrix; a row matches when it begins so. */
const rowNames: Readonly<Record<ArmField, string>> = {
  claim: 'claim',
  keys: 'keys',
  surfaces: 'surfaces',
  operations: 'operations',
  positiveControls: 'positive controls',
  negativeControls: 'negative controls',
  confusableIdentifiers: 'confusable identifiers',
  delayedPaths: 'delayed',
  backgroundPaths: 'background',
  observabilityPaths: 'observability',
  oracle: 'oracle',
  smokeBudget: 'minimum smoke budget',
  hardeningBudget: 'minimum hardening budget',
}

/** Block 7.M.S: a table with one row for each field and one column for each arm, `| Field | api | export |`. */
export function parseArms(part: Part | undefined): PlanArm[] {
  return part === undefined ? [] : tablesIn(part.blocks).flatMap(armsOf)
}

function armsOf(table: PlanTable): PlanArm[] {
  const [, ...names] = table.header
  return names.map((name, index) => ({
    at: table.at,
    name,
    claims: referencesIn(cellOf(table, rowNames.claim, index + 1)),
    fields: Object.fromEntries(
      armFields.map((field) => [field, cellOf(table, rowNames[field], index + 1)]),
    ) as Record<ArmField, Text | null>,
  }))
}

function cellOf({ rows }: PlanTable, name: string, column: number): Text | null {
  const row = rows.find(({ cells }) => normalized(cells[0]?.text ?? '').startsWith(name))
  return row?.cells[column] ?? null
}
