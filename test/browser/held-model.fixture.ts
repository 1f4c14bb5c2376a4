import type { scriptedModel } from '../../src/models/index.ts'

type Model = ReturnType<typeof scriptedModel>

/** Stops models in the middle of a reply, so that a test sees half of it on a machine of any speed. */
export class HeldModels {
  readonly #held = new Map<string, PromiseWithResolvers<void>>()

  /** From now on a reply stops at the part with which its text holds these words; the result lets it go on. */
  holdAt(words: string): () => void {
    const release = Promise.withResolvers<void>()
    this.#held.set(words, release)
    return () => {
      this.#held.delete(words)
      release.resolve()
    }
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
    type Part =
      Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Each>
        ? Each
        : never
    let text = ''
    return new TransformStream<Part, Part>({
      transform: async (part, controller) => {
        const before = text
        if (part.type === 'text-delta') text += part.delta
        controller.enqueue(part)
        for (const [words, { promise }] of this.#held) {
          if (text.includes(words) && !before.includes(words)) await promise
        }
      },
    })
  }
}
