import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { onTestFinished } from 'vitest'
import type { scriptedModel } from '../../src/models/index.ts'

type Model = ReturnType<typeof scriptedModel>

export interface Stop {
  readonly words: string
  /** Lets the replies that stopped here go on. */
  readonly goOn: () => void
}

/** Stops models in the middle of a reply, so that a test sees half of it on a machine of any speed. */
export class HeldModels {
  readonly #held = new Map<string, PromiseWithResolvers<void>>()

  /** A reply stops at the part with which its text holds these words, until it may go on or the test ends. */
  holdAt(words: string): Stop {
    const release = Promise.withResolvers<void>()
    this.#held.set(words, release)
    const goOn = () => {
      this.#held.delete(words)
      release.resolve()
    }
    onTestFinished(goOn)
    return { words, goOn }
  }

  /** A model whose replies stop there. */
  holdable(model: Model): Model {
    return {
      ...model,
      doStream: async (call) => {
        const { stream, ...rest } = await model.doStream(call)
        return { ...rest, stream: stream.pipeThrough(this.#stops()) }
      },
    }
  }

  #stops() {
    let text = ''
    return new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
      transform: async (part, controller) => {
        if (part.type === 'text-delta') text += part.delta
        controller.enqueue(part)
        for (const [words, { promise }] of this.#held) {
          if (text.includes(words)) await promise
        }
      },
    })
  }
}
