import type { AguiLoss } from './downgrade.ts'
import { downgraded } from './downgrade.ts'
import { AGUI_FRAME_BYTES_MAX, frameText, isLongerThan } from './frame.ts'
import type { AguiFrame } from './frame.ts'
import type { AguiProtocol } from './wire-event.ts'

/** How frames become text. */
export interface TextOptions {
  readonly protocol: AguiProtocol
  /** Called for what a client from before 1.0 is not sent, and for each frame that is too long. */
  readonly onLoss: (loss: AguiLoss) => void
}

/** Text of a stream. Readers of one run share the same object, so that it is encoded to bytes once. */
export interface SentText {
  readonly text: string
}

/** Frames as one text of server-sent events, in the version that the client speaks. */
export function streamText(
  frames: readonly AguiFrame[],
  { protocol, onLoss }: TextOptions,
): string {
  return frames
    .map(({ id, event }) => {
      const sent = protocol === 'before-1.0' ? downgraded(event, onLoss) : event
      const text = frameText({ id, event: sent })
      // Only a single text is still too long here: everything else was split.
      if (isLongerThan(text, AGUI_FRAME_BYTES_MAX)) {
        onLoss({ code: 'frame_too_long', type: sent.type })
      }
      return text
    })
    .join('')
}
