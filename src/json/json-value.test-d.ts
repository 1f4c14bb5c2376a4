import { expectTypeOf } from 'vitest'
import type { Json, JsonState, JsonValue } from './index.ts'

interface Address {
  readonly street: string
  readonly lines: readonly string[]
  readonly note?: string
}

interface Person {
  readonly name: string
  readonly address: Address | null
}

/** As a function that takes any JSON declares its parameter. */
declare function store<Value>(value: Value & JsonValue<Value>): void
declare const person: Person

// An interface has no index signature, so `Json` itself refuses it.
// @ts-expect-error an interface is not assignable to `Json`
const refused: Json = person
void refused

store(person)
store([person])
store({ person, at: 1, tags: ['a'], more: { deep: [null, true] } })
store('text')
store(undefined as unknown as Json)
expectTypeOf<JsonValue<Person>>().toEqualTypeOf<Person>()
expectTypeOf<JsonValue<Json>>().toEqualTypeOf<Json>()

// @ts-expect-error a function is not JSON
store({ call: () => 1 })
// @ts-expect-error JSON would make a text of a Date
store({ at: {} as Date })
// @ts-expect-error a member that is undefined is lost
store({ note: undefined })
// @ts-expect-error a bigint has no JSON
store({ amount: 1n })
// @ts-expect-error a symbol has no JSON
store({ tag: Symbol('tag') })
// @ts-expect-error the entries of a map are lost
store({ seen: new Map([['a', 1]]) })
// @ts-expect-error an unknown value has not been checked
store({ of: {} as unknown })
// @ts-expect-error an array keeps no undefined
store([1, undefined])
class Account {
  readonly #secret = 1
  reveal() {
    return this.#secret
  }
}
// @ts-expect-error the methods of an object are lost
store({ account: new Account() })
store({} as Readonly<Record<string, Json | undefined>>)

interface Tree {
  readonly children: readonly Tree[]
  readonly note: string | undefined
}
expectTypeOf<JsonState<Tree>>().toEqualTypeOf<[]>()
expectTypeOf<JsonState<object>>().toEqualTypeOf<[]>()
expectTypeOf<JsonState<Json>>().toEqualTypeOf<[]>()
expectTypeOf<JsonState<readonly { of: unknown }[]>>().toEqualTypeOf<[]>()
