import { expect, test } from 'vitest'
import { EVERYBODY, given } from './given-case.fixture.ts'
import type { Act, Emitter } from './given-case.fixture.ts'
import type { CaseState } from './state.ts'

/** The contract of one event type, as data; {@link checkEvent} makes its tests. */
export interface EventPromise {
  /** Checklist id and name of the event. */
  readonly name: string
  readonly given: readonly Act[]
  readonly act: Act
  /** The part of the case that the act is about, afterwards. */
  readonly gives: Partial<CaseState>
  /** Everybody else is refused as not authorised. */
  readonly allowed: readonly Emitter[]
  readonly invalid: readonly unknown[]
  readonly refused: readonly (readonly [why: string, given: readonly Act[], refused: string])[]
  /** The result of the second of two equal proposals. */
  readonly again: 'unchanged' | 'captured anew' | 'precondition' | 'locked'
}

export function checkEvent(promise: EventPromise): void {
  const { name, act, gives } = promise
  const before = (): ReturnType<typeof given> => given(...promise.given)

  test(`${name}: changes the case as it says`, () => {
    const after = before().when(act)
    expect(after.refusal).toBeUndefined()
    expect(after.case).toMatchObject(gives)
  })

  const others = EVERYBODY.filter((by) => !promise.allowed.includes(by))
  test.each(others)(`${name}: is refused from %s`, (by) => {
    const after = before().when({ ...act, by, typed: true })
    expect(after.refusal?.refused).toBe('not_authorised')
    expect(after.case).toEqual(before().case)
  })

  test.each(promise.invalid)(`${name}: is refused with the payload %j`, (data) => {
    const after = before().when({ ...act, data })
    expect(after.refusal?.refused).toBe('invalid_payload')
    expect(after.case).toEqual(before().case)
  })

  test.each(promise.refused)(`${name}: is refused %s`, (_, acts, refused) => {
    const after = given(...acts).when(act)
    expect(after.refusal?.refused).toBe(refused)
    expect(after.refusal?.detail).toMatch(/^["A-Z].*[^.]$/)
    expect(after.case).toEqual(given(...acts).case)
  })

  test(`${name}: done twice it is ${promise.again}`, () => {
    const once = before().when(act)
    const twice = once.when(act)
    const answer = twice.refusal?.refused ?? 'accepted'
    const accepted = promise.again === 'unchanged' || promise.again === 'captured anew'
    expect(answer).toBe(accepted ? 'accepted' : promise.again)
    expect(withoutTimes(twice.case)).toEqual(withoutTimes(once.case))
    if (promise.again !== 'captured anew') expect(twice.case).toEqual(once.case)
  })
}

function withoutTimes(state: CaseState): unknown {
  const text = JSON.stringify(state, (key, value: unknown) =>
    key === 'capturedAt' || key === 'updatedAt' || key === 'vulnerabilityCapturedAt'
      ? undefined
      : value,
  )
  return JSON.parse(text)
}
