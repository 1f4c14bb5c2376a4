import { z } from 'zod'
import { defineDomain, diff } from '../domain/index.ts'
import { PatchError, applyPatch } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { ProposedEvent } from '../agents/index.ts'
import { AGENT_STATE_CHARS_MAX } from './limits.ts'
import { streamRefused } from './program-error.ts'

const { event, domain } = defineDomain<Json>()

const SET = 'agent_state_set'
const CHANGED = 'agent_state_changed'

/** In AG-UI both the agent and its page hold the state. */
const by = [{ source: 'model' }, { source: 'ui' }] as const

const json = z.json()

const states = domain({
  name: 'agent-state',
  initial: {},
  events: {
    [SET]: event({
      schema: z.strictObject({ state: json }),
      by,
      // Read as JSON by its schema.
      reduce: (_state, { state }) => state as Json,
    }),
    [CHANGED]: event({
      schema: z.strictObject({ changes: z.array(z.record(z.string(), json)) }),
      by,
      guard: (state, { changes }) => whyUnfit(state, changes as Json),
      reduce: (state, { changes }) => applyPatch(state, changes as Json),
    }),
  },
})

function whyUnfit(state: Json, changes: Json) {
  try {
    applyPatch(state, changes)
    return undefined
  } catch (error) {
    if (!(error instanceof PatchError)) throw error
    return { refused: 'precondition', detail: error.message } as const
  }
}

function stateEvents(state: Json, before: Json): readonly ProposedEvent[] {
  const changes = diff(before, state)
  if (changes.length === 0) return []
  const [whole, part] = [JSON.stringify(state), JSON.stringify(changes)]
  const isPart = part.length < whole.length
  const chars = isPart ? part.length : whole.length
  if (chars > AGENT_STATE_CHARS_MAX) {
    const why = `its state changes by ${chars} characters at once, at most ${AGENT_STATE_CHARS_MAX} are taken`
    throw streamRefused('too_large', why)
  }
  return isPart ? [{ type: CHANGED, data: { changes } }] : [{ type: SET, data: { state } }]
}

/**
 * The parts of a remote agent whose own state is the state of the thread: each state that it sends is an event
 * that the gate decides, so pages see it at once, and after a reload.
 *
 * @example
 * const clerk = remoteAgent({ name: 'clerk', url: 'https://agents.example/agui/clerk', ...agentState })
 */
export const agentState = { domain: states, state: (state: Json): Json => state, stateEvents }
