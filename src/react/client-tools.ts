import type { WaitingTurn } from '../activity/index.ts'
import { thrownMessage } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { RequestResult } from './thread-requests.ts'

/** Gives the result of a call from its input: the tool's arguments, as the model wrote them. */
export type ClientToolRunner = (input: Json) => Json | Promise<Json>

/** The page's own tools, by the names under which the agent has them without `execute`. */
export type ClientToolRunners = Readonly<Record<string, ClientToolRunner>>

type Answer = (run: string, values: Readonly<Record<string, Json>>) => Promise<RequestResult>

/**
 * Runs the calls of the page's own tools, each once, and answers with their results. A turn that waits for
 * anything else as well waits until that is answered: its questions are answered together.
 */
export class ClientTools {
  /** The calls that have begun. */
  readonly #begun = new Set<string>()

  take(questions: readonly WaitingTurn[], tools: ClientToolRunners, answer: Answer): void {
    for (const { run, waits } of questions) {
      const isOurs = waits.every(
        ({ reason, toolName }) => reason === 'client_tool' && Object.hasOwn(tools, toolName),
      )
      const hasBegun = waits.some(({ id }) => this.#begun.has(id))
      if (!isOurs || hasBegun) continue
      for (const { id } of waits) this.#begun.add(id)
      this.#work(run, waits, { tools, answer }).catch((error: unknown) => reportError(error))
    }
  }

  async #work(
    run: string,
    waits: WaitingTurn['waits'],
    { tools, answer }: { readonly tools: ClientToolRunners; readonly answer: Answer },
  ): Promise<void> {
    const results = await Promise.all(
      waits.map(async ({ toolCallId, toolName, arguments: input }) => [
        toolCallId,
        await resultOf(input, tools[toolName]),
      ]),
    )
    await answer(run, Object.fromEntries(results) as Readonly<Record<string, Json>>)
  }
}

/** A tool that fails says so to the model: else its turn would wait for ever. */
async function resultOf(input: string, tool: ClientToolRunner | undefined): Promise<Json> {
  try {
    const given: Json = JSON.parse(input === '' ? '{}' : input)
    return (await tool?.(given)) ?? null
  } catch (error) {
    return { error: thrownMessage(error) }
  }
}
