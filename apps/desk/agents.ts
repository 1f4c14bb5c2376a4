import { defineAgent } from 'throughline'
import type { Agent, LanguageModel } from 'throughline'
import {
  askOrderNumber,
  customerPhoto,
  lookUpOrder,
  readPolicy,
  refund,
  searchArchive,
  traceParcel,
} from './tools.ts'

/** Milliseconds between the lines of a tool: slow enough to be seen. */
const DESK_PACE_MS = 250

interface DeskParts {
  /** Plays all of the agents: a real one, or that of `scriptedDesk`. */
  readonly model: LanguageModel
  readonly paceMs?: number
}

/** The agents that customers may ask; those behind them are reached through them. */
export function deskAgents({ model, paceMs = DESK_PACE_MS }: DeskParts): readonly Agent[] {
  const policy = defineAgent({
    name: 'policy',
    description: 'Knows what the shop promises its customers.',
    model,
    instructions: 'You are "policy". Read the policy and answer in two sentences from it alone.',
    tools: { read_policy: readPolicy() },
  })
  const writer = defineAgent({
    name: 'writer',
    description: 'Writes the answer to the customer and ends the conversation.',
    model,
    instructions: `You are "writer". Answer the customer kindly in at most four sentences. Use what you
were told when the conversation was handed over to you, and promise nothing else.`,
  })
  const desk = defineAgent({
    name: 'desk',
    description: 'Takes complaints about orders and settles them.',
    model,
    instructions: `You are "desk", the refunds desk of Northlight, a shop that sells lamps and rugs.
If somebody wants money back and names no order, call ask_order_number. When you know the order, ask
orders what happened and policy what is promised, both at once. If something is broken and costs at most
£50.00, take a customer_photo first. Then call refund with the full price, once. Whether it was made or
not, hand over to writer with order, item, sum, reference or reason. To a question that is about no
refund answer yourself. Never repeat a refund that this conversation shows.`,
    tools: {
      ask_order_number: askOrderNumber(),
      customer_photo: customerPhoto(),
      refund: refund(paceMs),
    },
    agents: [orders({ model, paceMs }), policy],
    handoffs: [writer],
    limits: { steps: 12, toolCalls: 20 },
  })
  return [desk, policy]
}

function orders({ model, paceMs }: Required<DeskParts>): Agent {
  const carrier = defineAgent({
    name: 'carrier',
    description: 'Knows where parcels have been.',
    model,
    instructions: 'You are "carrier". Trace the parcel and say in one sentence what came of it.',
    tools: { trace_parcel: traceParcel(paceMs) },
  })
  const archive = defineAgent({
    name: 'archive',
    description: 'Knows payments and deliveries of past orders; answers one question at a time.',
    model,
    instructions: `You are "archive". For payments use search_archive, for deliveries ask carrier. Answer
in one sentence.`,
    tools: { search_archive: searchArchive(paceMs) },
    agents: [carrier],
  })
  return defineAgent({
    name: 'orders',
    description: 'Finds out what was bought, paid and delivered.',
    model,
    instructions: `You are "orders". Look the order up, then ask archive two things at once: what was
paid, and how its parcel was delivered. Answer with order, item, price, payment and delivery. If there is
no such order, say so.`,
    tools: { look_up_order: lookUpOrder() },
    agents: [archive],
  })
}
