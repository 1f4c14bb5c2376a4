import { extractReasoningMiddleware, wrapLanguageModel } from 'ai'
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { Parser } from 'htmlparser2'
import { SaxesParser } from 'saxes'
import { AgentStreamParser } from 'throughline/inline'

const TAG = 'agent-event'

/** The result of a reader. `shown` is its prose, `events` those whose data it read. */
export interface TagReading {
  readonly shown: string
  readonly events: number
}

export type TagReader = (chunks: readonly string[]) => TagReading | Promise<TagReading>

export function readWithOurs(chunks: readonly string[]): TagReading {
  const parser = new AgentStreamParser()
  let shown = ''
  let events = 0
  for (const chunk of chunks) {
    const result = parser.feed(chunk)
    shown += result.displayText
    events += result.events.length
  }
  shown += parser.flush().displayText
  return { shown, events }
}

/** The least work of any reader: look for a tag, and keep the text. It counts all possible ones. */
export function searchAndJoin(chunks: readonly string[]): TagReading {
  let shown = ''
  let events = 0
  for (const chunk of chunks) {
    if (chunk.indexOf('<') >= 0) events++
    shown += chunk
  }
  return { shown, events }
}

export function readWithHtmlparser2(chunks: readonly string[]): TagReading {
  let shown = ''
  let events = 0
  const parser = new Parser(
    {
      ontext: (text) => (shown += text),
      onopentag: (name, { data }) => {
        if (name === TAG && isObject(data)) events++
      },
    },
    { xmlMode: true, decodeEntities: false },
  )
  for (const chunk of chunks) parser.write(chunk)
  parser.end()
  return { shown, events }
}

export function readWithSaxes(chunks: readonly string[]): TagReading {
  let shown = ''
  let events = 0
  const parser = new SaxesParser<{ fragment: true; xmlns: false }>({ fragment: true, xmlns: false })
  parser.on('text', (text) => (shown += text))
  parser.on('opentag', ({ name, attributes }) => {
    if (name === TAG && isObject(attributes['data'])) events++
  })
  // Prose is not well-formed; without a listener the first `<` in it would throw.
  parser.on('error', () => {})
  for (const chunk of chunks) parser.write(chunk)
  parser.close()
  return { shown, events }
}

/** A parser of five minutes: a tag ends at the first `>`, a value at the first quote. */
export function readWithRegExp(chunks: readonly string[]): TagReading {
  let [shown, held, events] = ['', '', 0]
  for (const chunk of chunks) {
    held += chunk
    for (
      let tag = /<agent-event\s[^>]*>/.exec(held);
      tag;
      tag = /<agent-event\s[^>]*>/.exec(held)
    ) {
      if (isObject(/data='([^']*)'/.exec(tag[0])?.[1])) events++
      shown += held.slice(0, tag.index)
      held = held.slice(tag.index + tag[0].length)
    }
    const from = held.lastIndexOf('<')
    const isOpening = from >= 0 && `<${TAG}`.startsWith(held.slice(from, from + TAG.length + 1))
    const to = isOpening ? from : held.length
    shown += held.slice(0, to)
    held = held.slice(to)
  }
  return { shown: shown + held, events }
}

/** The one thing in the AI SDK that takes tags out of streaming text, told that ours are reasoning. */
export async function readWithAiSdk(chunks: readonly string[]): Promise<TagReading> {
  const middleware = extractReasoningMiddleware({
    tagName: { opening: `<${TAG}`, closing: '/>' },
    separator: '',
  })
  const model = wrapLanguageModel({ model: speaking(chunks), middleware })
  const { stream } = await model.doStream({ prompt: [] })
  let [shown, tag, events] = ['', '', 0]
  for await (const part of stream) {
    if (part.type === 'text-delta') shown += part.delta
    else if (part.type === 'reasoning-start') tag = ''
    else if (part.type === 'reasoning-delta') tag += part.delta
    else if (part.type === 'reasoning-end' && isObject(/data='(.*)'/s.exec(tag)?.[1])) events++
  }
  return { shown, events }
}

function speaking(chunks: readonly string[]): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'bench',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('Cannot generate: this model only streams')),
    doStream: () => Promise.resolve({ stream: ReadableStream.from(partsOf(chunks)) }),
  }
}

function* partsOf(chunks: readonly string[]): Generator<LanguageModelV4StreamPart> {
  yield { type: 'text-start', id: 'text' }
  for (const delta of chunks) yield { type: 'text-delta', id: 'text', delta }
  yield { type: 'text-end', id: 'text' }
}

/** A value that was cut off at an apostrophe is not parsed: exceptions would slow the reader down. */
function isObject(json = ''): boolean {
  return json.endsWith('}') && typeof JSON.parse(json) === 'object'
}
