import type { ScriptedAnswer, ScriptedReply } from '../models/scripted-model.ts'
import type { Domain } from '../domain/index.ts'
import { defineAgent, open, scriptedModel } from '../public/index.ts'
import type { Agent, CallerEvent } from '../public/index.ts'
import type { Json } from '../json/index.ts'
import { CallerView, EMPTY_RUN_TREE, foldRunTree } from './index.ts'
import type { RunNode, RunTree } from './index.ts'

/** Answers in turn; the last answer again and again. */
export const replies = (...answers: readonly ScriptedReply[]) =>
  scriptedModel(({ index }) => answers[Math.min(index, answers.length - 1)] ?? '')
export const calls = (name: string, input: Json = { message: 'go' }): ScriptedAnswer => ({
  toolCalls: [{ name, input, id: `${name}-1` }],
})
export const agent = (name: string, parts: Partial<Parameters<typeof defineAgent>[0]>) =>
  defineAgent({ name, model: replies(`I am ${name}`), ...parts })

/** An agent that is asked in a thread of its own, and what its caller sees of it. */
export async function asked<State = unknown>(top: Agent<State>, domain?: Domain<State>) {
  const app = await open<State>({ store: 'memory:', agents: [top], ...(domain ? { domain } : {}) })
  /** All that the thread holds, as its caller sees it. */
  const events = async (): Promise<readonly CallerEvent[]> => {
    const view = new CallerView()
    const all: CallerEvent[] = []
    for await (const records of app.log.read('t')) {
      for (const record of records) all.push(...view.take(record))
    }
    return all
  }
  const ask = (input = 'Go') => app.turn('t', { agent: top.name, input }).result
  return { app, events, ask }
}

export const treeOf = (events: Iterable<CallerEvent>): RunTree =>
  foldRunTree(EMPTY_RUN_TREE, events)

/** A run in one line, with the runs below it. */
function outline({ agent: name, depth, state, items }: RunNode): unknown {
  const below = items.flatMap((item) => (item.kind === 'tool' ? item.runs.map(outline) : []))
  const line = `${name}/${depth} ${state.status}`
  return below.length === 0 ? line : [line, ...below]
}
export const outlines = ({ turns }: RunTree) => turns.map(({ runs }) => runs.map(outline))
export const textsIn = (run: RunNode | undefined) =>
  (run?.items ?? []).flatMap((item) =>
    item.kind === 'text' ? [`${item.status}: ${item.text}`] : [],
  )
export const kinds = (run: RunNode | undefined) => run?.items.map(({ kind }) => kind)
export const toolsIn = (run: RunNode | undefined) =>
  (run?.items ?? []).flatMap((item) => (item.kind === 'tool' ? [item] : []))
/** The run that the first call of another agent caused. */
export const firstBelow = (run: RunNode | undefined) => toolsIn(run)[0]?.runs[0]
