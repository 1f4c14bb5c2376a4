import type { Json } from './json.ts'

/**
 * `Value` itself when JSON carries it without loss, a type that it does not fit otherwise. Declare a
 * parameter as `Value & JsonValue<Value>`: then it also takes an `interface`, which {@link Json} refuses
 * because an interface has no index signature.
 *
 * Functions, dates, maps, bigints, symbols, `unknown` and members that are `undefined` do not fit; a member
 * that is optional does, since an absent member is JSON.
 */
export type JsonValue<Value> = unknown extends Value
  ? never
  : [Json] extends [Value]
    ? Value
    : Carried<Value>

type Carried<Value> = Value extends null | boolean | number | string
  ? Value
  : Value extends bigint | symbol | undefined | ((...parameters: never) => unknown)
    ? never
    : IsJsonRecord<Value> extends true
      ? Value
      : { [Member in keyof Value]: JsonValue<Value[Member]> }

/** With an index signature, `undefined` says that a member may be absent. */
type IsJsonRecord<Value> = string extends keyof Value ? (Value extends Json ? true : false) : false

/**
 * The parameters of a function that takes any type of state which JSON can hold: none. For a state with a date,
 * a map, a function or a bigint they are some that nobody can give. Members may be `undefined`, unlike those
 * of a {@link JsonValue}.
 */
export type JsonState<State> = [State] extends [Held<State>]
  ? []
  : [state: never, holds: 'texts, numbers, true, false, null, lists and plain objects']

type Held<Value> = unknown extends Value
  ? Value
  : [Json] extends [Value]
    ? Value
    : Value extends null | undefined | boolean | number | string
      ? Value
      : Value extends bigint | symbol | ((...parameters: never) => unknown)
        ? never
        : { [Member in keyof Value]: Held<Value[Member]> }
