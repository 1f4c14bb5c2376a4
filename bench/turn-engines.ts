import { Agent, Runner, tool as openAiTool } from '@openai/agents-core'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { isStepCount, streamText, tool as aiTool } from 'ai'
import { defineAgent, open, tool } from 'throughline'
import type { Agent as OurAgent } from 'throughline'
import { MemoryLog, sha256, uuidv7 } from 'throughline/log'
import type { EventLog, NewEvent } from 'throughline/log'
import { z } from 'zod'
import { instantModel, instantOpenAiModel } from './turn-models.ts'
import type { Script } from './turn-models.ts'

/** Asks once and returns how many characters of the answer reached its reader. */
export interface Ask {
  (): Promise<number>
  /** Ends what the engine keeps between questions. */
  readonly close?: () => Promise<void>
}

/** Each prepares its engine once for all questions; none remembers earlier messages. */
export type Engine = () => Ask

export const TOOL = 'read_page'
const INPUT = 'What stands on page 1?'
const inputSchema = z.object({ message: z.string() })
const execute = ({ message }: z.infer<typeof inputSchema>): string => `Read: ${message}`

/** With a log of its own, in which every turn has a thread of its own. */
export function ours(agent: OurAgent, log: () => EventLog = memoryLog): Engine {
  return () => {
    const opened = open({ store: log(), agents: [agent] })
    let threads = 0
    const ask = async () => {
      const app = await opened
      const turn = app.turn(`thread-${threads++}`, { agent: agent.name, input: INPUT })
      let characters = 0
      for await (const event of turn) {
        if (event.type === 'chat_output') characters += event.delta.length
      }
      await turn.result
      return characters
    }
    return Object.assign(ask, { close: async () => (await opened).close() })
  }
}

/** What such a turn appends, appended again and nothing else done. */
export function appendsOf(agent: OurAgent): Engine {
  let batches: ReturnType<typeof recorded> | undefined
  return () => {
    batches ??= recorded(agent)
    const once = batches
    const log = memoryLog()
    let threads = 0
    return async () => {
      const thread = `thread-${threads++}`
      for (const batch of await once) await log.append(thread, batch)
      return 0
    }
  }
}

async function recorded(agent: OurAgent): Promise<readonly (readonly NewEvent[])[]> {
  const batches: (readonly NewEvent[])[] = []
  const log = memoryLog()
  const append = log.append.bind(log)
  log.append = (thread, events, options) => {
    batches.push(events)
    return append(thread, events, options)
  }
  await ours(agent, () => log)()()
  return batches
}

export function ourAgent(script: Script): OurAgent {
  return defineAgent({
    name: 'lead',
    model: instantModel(script),
    ...(script.some((answer) => 'tool' in answer)
      ? { tools: { [TOOL]: tool({ inputSchema, execute }) } }
      : {}),
  })
}

/** An agent that asks an agent that asks an agent, down to `depth`. */
export function ourTree(script: Script, depth: number): OurAgent {
  let agent: OurAgent = defineAgent({ name: 'lowest', model: instantModel(script) })
  for (let above = 1; above <= depth; above++) {
    const asks: Script = [{ tool: `call_${agent.name}` }, ...script]
    agent = defineAgent({ name: `above_${above}`, model: instantModel(asks), agents: [agent] })
  }
  return agent
}

export function memoryLog(hash = sha256): MemoryLog {
  return new MemoryLog({ hash, now: Date.now, id: uuidv7 })
}

/** Keeps appended records, and chains nothing. */
export function unhashedLog(): MemoryLog {
  const nothing = sha256('')
  return memoryLog(() => nothing)
}

export function aiSdk(script: Script): Engine {
  const model = instantModel(script)
  const tools = { [TOOL]: aiTool({ inputSchema, execute }) }
  const offered = script.length > 1 ? { tools, stopWhen: isStepCount(script.length) } : {}
  return () => async () => {
    let characters = 0
    const { textStream } = streamText({ model, prompt: INPUT, ...offered })
    for await (const delta of textStream) characters += delta.length
    return characters
  }
}

export function openAiAgents(script: Script): Engine {
  const read = openAiTool({ name: TOOL, description: '', parameters: inputSchema, execute })
  const agent = new Agent({
    name: 'lead',
    model: instantOpenAiModel(script),
    ...(script.length > 1 ? { tools: [read] } : {}),
  })
  const runner = new Runner({ tracingDisabled: true })
  return () => async () => {
    let characters = 0
    const result = await runner.run(agent, INPUT, { stream: true })
    for await (const event of result) {
      if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') {
        characters += event.data.delta.length
      }
    }
    await result.completed
    return characters
  }
}

/** The least work of any engine: calls the model and reads its stream to the end. */
export function modelAlone(script: Script): Engine {
  const model = instantModel(script.slice(-1))
  return () => () => readModel(model)
}

async function readModel(model: LanguageModelV4): Promise<number> {
  let characters = 0
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: INPUT }] }]
  const reader = (await model.doStream({ prompt })).stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return characters
    if (value.type === 'text-delta') characters += value.delta.length
  }
}
