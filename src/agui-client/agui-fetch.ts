import { resumableFetch } from '../client/index.ts'
import type { ResumableFetchOptions } from '../client/index.ts'

export interface AguiFetchOptions extends Omit<ResumableFetchOptions, 'repeats' | 'isWhole'> {
  /**
   * The agent attaches to a run that it knows by its id, as all that Throughline serves do: a request may be
   * sent again at any time. Otherwise it is sent again only to go on after a frame's id.
   */
  readonly attaches?: true
}

/**
 * Makes a `fetch` for runs of AG-UI agents, for {@link AguiThread} and for the stock `HttpAgent`. After a cut
 * it goes on with `Last-Event-ID` where frames have ids, and starts no run twice. A stream that ends
 * before its run did is resumed too; its body fails when that does not help.
 *
 * @example
 * const agent = new HttpAgent({ url: '/agui/desk', fetch: aguiFetch({ attaches: true }) })
 */
export function aguiFetch({ attaches, ...options }: AguiFetchOptions = {}): typeof fetch {
  const repeats = attaches ? {} : ({ repeats: 'from_id' } as const)
  return resumableFetch({ ...options, ...repeats, isWhole: endsRun })
}

function endsRun(lastData: string | undefined): boolean {
  // Parsed only where these words are somewhere in it: text may hold them too.
  if (lastData === undefined || !/RUN_(?:FINISHED|ERROR)/.test(lastData)) return false
  try {
    const event: unknown = JSON.parse(lastData)
    const type = typeof event === 'object' && event !== null && 'type' in event && event.type
    return type === 'RUN_FINISHED' || type === 'RUN_ERROR'
  } catch {
    return false
  }
}
