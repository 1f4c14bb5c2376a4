import type { Fact, Refusal } from 'throughline'
import type { Payload } from './payloads.ts'
import { SET_ASIDE_MAX, WAITING_MAX } from './state.ts'
import type { TeamState, Waiting } from './state.ts'

/** Puts a message at the end of the line; one that it repeats is set aside no longer. */
export function addWaiting(
  state: TeamState,
  type: Waiting['type'],
  { id, again }: Pick<Fact, 'id'> & { readonly again: string | undefined },
): TeamState {
  const waiting = [...state.waiting, { id, type, deaths: 0 }]
  return again === undefined ? { ...state, waiting } : dropSetAside({ ...state, waiting }, again)
}

/** Takes the messages that are settled out of the line. */
export function settleWaiting(state: TeamState, answers: readonly string[] = []): TeamState {
  if (answers.length === 0) return state
  return { ...state, waiting: state.waiting.filter(({ id }) => !answers.includes(id)) }
}

/** Settles what an error names, notes that the server gave up, and counts the end of the program on its message. */
export function failWaiting(
  state: TeamState,
  { answers = [], diedOn, isSetAside = false, gaveUp = false }: Payload<'server_error'>,
): TeamState {
  const waiting = state.waiting.map((each) =>
    each.id === diedOn ? { ...each, deaths: each.deaths + 1 } : each,
  )
  const setAside = isSetAside
    ? [...state.setAside, ...answers].slice(-SET_ASIDE_MAX)
    : state.setAside
  const hasGivenUp = state.hasGivenUp || gaveUp
  return settleWaiting({ ...state, waiting, setAside, hasGivenUp }, answers)
}

export function dropSetAside(state: TeamState, message: string): TeamState {
  return { ...state, setAside: state.setAside.filter((id) => id !== message) }
}

/** Returns the refusal of a message when the team cannot accept one, otherwise `undefined`. */
export function requireRoom(state: TeamState): Refusal | undefined {
  // Between two lives of the program a message waits for the next one.
  const isRestarting = state.resumable !== null && !state.hasGivenUp
  if (!state.session && !isRestarting) return refuse('no session is open')
  if (state.waiting.length < WAITING_MAX) return undefined
  return { refused: 'limit', detail: `${WAITING_MAX} messages wait for an answer` }
}

/** A message is sent again once. */
export function requireSendable(
  state: TeamState,
  { again }: { readonly again?: string | undefined },
): Refusal | undefined {
  return requireRoom(state) ?? (again === undefined ? undefined : requireSetAside(state, again))
}

export function requireSetAside({ setAside }: TeamState, message: string): Refusal | undefined {
  return setAside.includes(message) ? undefined : refuse('this message is not set aside')
}

export function refuse(detail: string): Refusal {
  return { refused: 'precondition', detail }
}
