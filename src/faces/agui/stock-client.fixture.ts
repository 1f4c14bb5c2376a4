import * as stock from '@ag-ui/client'
import * as stockBefore from 'ag-ui-client-0'
import { EventSchemas as SchemasBefore } from 'ag-ui-client-0'
import type { BaseEvent, Message } from '@ag-ui/core'
import { from, lastValueFrom, toArray } from 'rxjs'
import type { Json } from '../../json/index.ts'
import type { AguiProtocol, WireEvent } from './wire-event.ts'

/** A frame of a stream as a client reads it: its id, and its event parsed. */
export interface ReadFrame {
  readonly id: string
  readonly event: WireEvent
}

/** Reads the text of a stream. Throws when it is not framed as the stock client asks for. */
export function readFrames(text: string): readonly ReadFrame[] {
  if (text !== '' && !text.endsWith('\n\n')) throw new Error('the text ends within a frame')
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((frame) => {
      const [, id = '', data = ''] = /^id: (\S+)\ndata: (.+)$/.exec(frame) ?? []
      return { id, event: JSON.parse(data) as WireEvent }
    })
}

/** Runs events through the checks of the stock client; throws its complaint. */
export async function verified(
  events: readonly WireEvent[],
  protocol: AguiProtocol = '1.0',
): Promise<readonly BaseEvent[]> {
  // The stock client takes events as they are parsed.
  const given = from(events as unknown as BaseEvent[])
  if (protocol === '1.0') {
    const checked = given.pipe(
      stock.enforceEvents(),
      stock.transformChunks(),
      stock.verifyEvents(),
      toArray(),
    )
    return lastValueFrom(checked)
  }
  for (const event of events) SchemasBefore.parse(event)
  const checked = (
    given as never as Parameters<ReturnType<typeof stockBefore.verifyEvents>>[0]
  ).pipe(stockBefore.transformChunks(), stockBefore.verifyEvents(), toArray())
  return lastValueFrom(checked) as Promise<readonly BaseEvent[]>
}

export interface Applied {
  readonly messages: readonly Message[]
  readonly state: Json
}

/** What the stock client holds after events. */
export async function applied(
  events: readonly WireEvent[],
  before: Applied = { messages: [], state: {} },
): Promise<Applied> {
  const agent = new stock.HttpAgent({ url: 'http://localhost' })
  agent.messages = structuredClone([...before.messages])
  const input = {
    threadId: 't',
    runId: 'r',
    state: structuredClone(before.state),
    messages: [],
    tools: [],
    context: [],
  }
  const given = from(structuredClone(events) as unknown as BaseEvent[])
  const mutations = await lastValueFrom(
    stock.defaultApplyEvents(input, given, agent, []).pipe(toArray()),
  )
  const messages = mutations.findLast((each) => each.messages !== undefined)?.messages
  const changed = mutations.findLast((each) => 'state' in each)
  return {
    messages: messages ?? before.messages,
    state: changed ? (changed.state as Json) : before.state,
  }
}
