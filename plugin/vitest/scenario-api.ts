import type { TestContext } from 'vitest'
import type { BodyTools } from '../../src/scenario/pass/drive/body.js'
import type { ArmedScenarioSpec, UnarmedScenarioSpec } from '../../src/scenario/declaration/arms/arm-spec.js'
import type { ScenarioTestOptions } from './test-options.js'

/** A scenario's declaration, with or without arms, with the options of its Vitest test. */
export type ScenarioDeclaration<Client> = (UnarmedScenarioSpec<Client> | ArmedScenarioSpec<Client>) &
  ScenarioTestOptions

/** What an imperative body receives: the tools of the run, Vitest's test context, and fixtures of `.extend`. */
export type BodyContext<Client, Fixtures> = BodyTools<Client> & Omit<TestContext, keyof BodyTools> & Fixtures

type Body<Client, Fixtures> = (context: BodyContext<Client, Fixtures>) => Promise<void> | void

/** `scenario(name, declaration, body?)` and its chain. Modifiers mean what they mean on Vitest's `test`. */
export interface ScenarioAPI<Fixtures = object> {
  <Client>(name: string, declaration: ScenarioDeclaration<Client>, body?: Body<Client, Fixtures>): void
  readonly skip: ScenarioAPI<Fixtures>
  readonly only: ScenarioAPI<Fixtures>
  /** Takes a name alone as well: a scenario that is still to be written. It is reported as NOT-RUN. */
  readonly todo: ScenarioAPI<Fixtures> & ((name: string) => void)
  skipIf(condition: unknown): ScenarioAPI<Fixtures>
  runIf(condition: unknown): ScenarioAPI<Fixtures>
  /** One scenario a row. The declaration may be a function of the row's items. For a body use `.for`. */
  each<Row extends unknown[] | [unknown]>(rows: readonly Row[]): EachCall<Row>
  each<Row extends readonly unknown[]>(rows: readonly Row[]): EachCall<Writable<Row>>
  each<Item>(rows: readonly Item[]): EachCall<[Item]>
  /** One scenario a row. A body receives the row and then the tools. */
  for<Row>(rows: readonly Row[]): ForCall<Row, Fixtures>
  /** Fixtures, as `test.extend`. */
  extend<Extra extends Record<string, unknown>>(fixtures: {
    [Name in keyof Extra]: Extra[Name] | FixtureFunction<Extra[Name]> | [FixtureFunction<Extra[Name]>, object]
  }): ScenarioAPI<Fixtures & Extra>
}

// Fixtures may use one another; Vitest checks them at run time.
// oxlint-disable-next-line typescript/no-explicit-any
type FixtureFunction<Value> = (context: any, use: (value: Value) => Promise<void>) => Promise<void>

/** A row `as const` is a read-only tuple, of which there are no parameter lists. */
type Writable<Row extends readonly unknown[]> = Row extends readonly [...infer Items] ? Items : never

type EachCall<Row extends readonly unknown[]> = <Client>(
  name: string,
  declaration: ScenarioDeclaration<Client> | ((...row: Row) => ScenarioDeclaration<Client>),
) => void

interface ForCall<Row, Fixtures> {
  <Client>(name: string, declaration: (row: Row) => ScenarioDeclaration<Client>): void
  <Client>(
    name: string,
    declaration: ScenarioDeclaration<Client>,
    body?: (row: Row, context: BodyContext<Client, Fixtures>) => Promise<void> | void,
  ): void
}
