import type { Arbitrary } from 'fast-check'
import { jsonSchemaOf, reachable } from '../agents/index.ts'
import type { Agent, ToolSchema } from '../agents/index.ts'
import type { App } from '../application/index.ts'
import type { AnyEventType, Authority } from '../domain/index.ts'
import type { Json } from '../json/index.ts'
import { SchemaValues } from './schema-values.ts'
import type { Check } from './schema-values.ts'
import type { EventStep, Outside, Piece, Step, TurnStep } from './step.ts'

/** Steps of one run. */
export const FUZZ_STEPS_MAX = 24
const PIECES_MOST = 4
const CHOICES_MOST = 4
/** Calls of the model in one turn that answer with something. */
const ANSWERS_MOST = 3
const WAIT_MOST_MS = 30 * 24 * 3_600_000

/** Makes the steps of runs of an application out of its declarations. */
export class FuzzSteps {
  readonly #fc: Check
  readonly #app: App
  readonly #stored: number
  readonly #values: SchemaValues
  readonly #data: ReadonlyMap<string, Arbitrary<unknown>>

  /** `stored`: how many threads a run may begin with. */
  constructor(fc: Check, app: App, stored: number) {
    this.#fc = fc
    this.#app = app
    this.#stored = stored
    this.#values = new SchemaValues(fc)
    this.#data = new Map(
      [...app.domain.events].map(([type, { schema }]) => [type, this.#values.of(schemaOf(schema))]),
    )
  }

  /** The steps of one run; the first opens the thread where only some events may. */
  get run(): Arbitrary<readonly Step[]> {
    const { array, constant, double, integer, record, tuple } = this.#fc
    const steps = array(this.#step(), { maxLength: FUZZ_STEPS_MAX, size: 'max' })
    const stored = record({
      kind: constant('stored' as const),
      thread: integer({ min: 0, max: Math.max(0, this.#stored - 1) }),
      share: double({ min: 0, max: 1, noNaN: true }),
    })
    const opening = this.#stored > 0 ? stored : this.#app.opens && this.#events(this.#app.opens)
    if (!opening) return steps
    return tuple(opening as Arbitrary<Step>, steps).map(([first, rest]) => [first, ...rest])
  }

  #step(): Arbitrary<Step> {
    const { boolean, constant, constantFrom, integer, oneof, record } = this.#fc
    const events = this.#events()
    const turns = this.#turns()
    return oneof(
      ...(events ? [{ weight: 6, arbitrary: events }] : []),
      ...(turns ? [{ weight: 8, arbitrary: turns }] : []),
      {
        weight: 2,
        arbitrary: record({
          kind: constant('answer' as const),
          agrees: boolean(),
          actor: constantFrom('another' as const, 'somebody' as const),
          text: this.#values.text() as Arbitrary<string>,
        }),
      },
      {
        weight: 1,
        arbitrary: record({
          kind: constant('wait' as const),
          ms: integer({ min: 0, max: WAIT_MOST_MS }),
        }),
      },
    )
  }

  /** What people and programs may propose. */
  #events(types?: readonly string[]): Arbitrary<EventStep> | undefined {
    const { array, constant, oneof, record } = this.#fc
    const made = [...this.#app.domain.events].flatMap(([type, { by }]) =>
      types && !types.includes(type)
        ? []
        : by.filter(isOutside).map(({ source, surface }) =>
            record({
              source: constant(source),
              ...(surface !== undefined && { surface: constant(surface) }),
              type: constant(type),
              data: this.#dataOf(type),
            }),
          ),
    )
    if (made.length === 0) return undefined
    return record({
      kind: constant('event' as const),
      choices: array(oneof(...made), { minLength: 1, maxLength: CHOICES_MOST }),
    })
  }

  #turns(): Arbitrary<TurnStep> | undefined {
    const { array, constant, constantFrom, integer, oneof, record } = this.#fc
    const agents = this.#app.agents.filter(({ program }) => program === undefined)
    if (agents.length === 0) return undefined
    const pieces = oneof(
      { weight: 1, arbitrary: record({ kind: constant('text' as const), text: this.#text() }) },
      { weight: 4, arbitrary: this.#tag() },
      ...this.#calls().map((arbitrary) => ({ weight: 2, arbitrary })),
    )
    return record({
      kind: constant('turn' as const),
      agent: constantFrom(...agents.map(({ name }) => name)),
      said: this.#text(),
      answers: array(array(pieces, { maxLength: PIECES_MOST }), { maxLength: ANSWERS_MOST }),
      chunk: integer({ min: 1, max: 40 }),
    })
  }

  #tag(): Arbitrary<Piece> {
    const { array, constant, constantFrom, oneof, record } = this.#fc
    const types = [...this.#app.domain.events.keys(), 'unknown_type']
    const tags = types.map((type) => record({ type: constant(type), data: this.#dataOf(type) }))
    return record({
      kind: constant('tag' as const),
      choices: array(oneof(...tags), { minLength: 1, maxLength: CHOICES_MOST }),
      place: constantFrom('prose', 'prose', 'prose', 'span', 'fence', 'echo'),
    })
  }

  #calls(): readonly Arbitrary<Piece>[] {
    const { array, constant, constantFrom, oneof, record } = this.#fc
    const agents = reachable(this.#app.agents)
    const calls = agents.flatMap((agent) =>
      [...agent.tools].map(([tool, { inputSchema }]) => {
        const types = agent.proposes.get(tool) ?? []
        const proposals = types.map((type) =>
          record({ type: constant(type), data: this.#dataOf(type) }),
        )
        return record({
          kind: constant('call' as const),
          tool: constant(tool),
          input: this.#values.of(inputJsonSchema(inputSchema)),
          proposes:
            proposals.length > 0 ? array(oneof(...proposals), { maxLength: 2 }) : constant([]),
        })
      }),
    )
    const others = agents.flatMap(calledAgents)
    if (others.length === 0) return calls
    const passing = record({
      kind: constant('call' as const),
      tool: constantFrom(...others),
      input: record({ message: this.#text() }),
      proposes: constant([]),
    })
    return [...calls, passing]
  }

  #dataOf(type: string): Arbitrary<unknown> {
    return this.#data.get(type) ?? this.#values.anything()
  }

  #text(): Arbitrary<string> {
    return this.#values.text() as Arbitrary<string>
  }
}

function calledAgents(agent: Agent): readonly string[] {
  return [
    ...agent.agents().map(({ name }) => `call_${name}`),
    ...agent.handoffs().map(({ name }) => `handoff_to_${name}`),
  ]
}

function isOutside<State>(
  authority: Authority<State, unknown>,
): authority is Authority<State, unknown> & { readonly source: Outside['source'] } {
  return authority.source !== 'model' && authority.source !== 'rule'
}

/** Of a schema library that gives none, anything is tried. */
function schemaOf(schema: AnyEventType<unknown>['schema']): Json {
  return inputJsonSchema(schema as unknown as ToolSchema)
}

function inputJsonSchema(schema: ToolSchema): Json {
  try {
    // A JSON Schema is JSON.
    return jsonSchemaOf(schema) as Json
  } catch {
    return {}
  }
}
