import { randomUUID } from 'node:crypto'
import { timesInTier } from '../../test/tier.fixture.ts'
import type { Routes } from './routes/routes.ts'

/** Sends a request of one reader; `path` begins with a slash. */
export type Ask = (path: string, asked?: Asked) => Promise<Response>

/** Asks mounted routes as a person of one role. */
export const askAs =
  (http: Pick<Routes, 'fetch'>, role: string): Ask =>
  async (path, asked = {}) => {
    const headers = { ...asked.headers, caller: JSON.stringify({ role, actor: 'ann' }) }
    return http.fetch(new Request(`http://any.example${path}`, { ...asked, headers }))
  }

interface Asked {
  readonly method?: 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface ReadThread {
  readonly thread: string
  readonly head: number
  /** Agents to join over AG-UI. */
  readonly agents?: readonly string[]
  /** Goes with each request. */
  readonly query?: string
}

/** A long thread is read at one seq in eight, in the full tier at each. */
const isRead = (seq: number) => seq < 64 || seq % timesInTier({ quick: 8, full: 1 }) === 0

/** The answers of all routes that read a thread: lists, streams, states, exports, AG-UI, chats of the AI SDK. By their address. */
export async function allReads(
  ask: Ask,
  { thread, head, agents = [], query = '' }: ReadThread,
): Promise<ReadonlyMap<string, string>> {
  const at = `/api/threads/${thread}`
  const lists = ['events?limit=10000', 'events?limit=10000&view=agent', 'state', 'verify']
  const seqs = Array.from({ length: head + 1 }, (_, seq) => seq)
  const states = seqs
    .filter(isRead)
    .concat(head)
    .map((seq) => `state?at=${seq}`)
  const history = ['changes', `changes?from=${head}`, 'why', `why?path=/patient&at=${head}`]
  const exports = ['export?format=jsonl', 'export?format=csv', 'bundle']
  const answers = new Map<string, string>()
  for (const path of [...lists, ...states, ...history, ...exports]) {
    const response = await ask(`${at}/${withQuery(path, query)}`)
    answers.set(path, `${response.status} ${await response.text()}`)
  }
  for (const path of ['', 'view=agent', 'state=1', `after=${head - 3}`, 'after=999999']) {
    const stream = await ask(`${at}/${withQuery(`events?${path}`, query)}`, {
      headers: { accept: 'text/event-stream' },
    })
    const isWhole = (text: string) =>
      text.includes('event: reset') ||
      (text.includes(`id: ${head}\n`) && (path !== 'state=1' || text.includes('event: state')))
    answers.set(`stream ${path}`, `${stream.status} ${await textUntil(stream, isWhole)}`)
  }
  for (const agent of agents) {
    const ids = { threadId: thread, runId: randomUUID() }
    const input = { ...ids, state: {}, messages: [], tools: [], context: [], forwardedProps: {} }
    const joined = await ask(withQuery(`/agui/${agent}/connect`, query), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    const isWhole = (text: string) => text.includes('"RUN_FINISHED"')
    answers.set(`agui ${agent}`, `${joined.status} ${await textUntil(joined, isWhole)}`)
    const chat = await ask(withQuery(`/chat/${agent}/${thread}`, query))
    answers.set(`chat ${agent}`, `${chat.status} ${await chat.text()}`)
  }
  return answers
}

function withQuery(path: string, query: string): string {
  if (query === '') return path
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

async function textUntil(response: Response, isWhole: (text: string) => boolean): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (isWhole(text) || response.status !== 200) break
  }
  return text
}

/** Which of the texts occur in which answers, in the spellings of JSON, of CSV and of addresses. */
export function foundIn(
  answers: ReadonlyMap<string, string>,
  texts: Readonly<Record<string, string | number>>,
): readonly string[] {
  const spellings = (text: string) => {
    const json = JSON.stringify(text).slice(1, -1)
    return [text, json, json.replaceAll('"', '""'), encodeURIComponent(text)]
  }
  return Array.from(answers, ([path, answer]) => ({ path, plain: answer.toLowerCase() })).flatMap(
    ({ path, plain }) =>
      Object.entries(texts)
        .filter(([, text]) =>
          spellings(String(text)).some((each) => plain.includes(each.toLowerCase())),
        )
        .map(([name]) => `${name} in ${path}`),
  )
}
