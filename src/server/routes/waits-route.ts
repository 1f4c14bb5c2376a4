import type { Context } from 'hono'
import { THREADS_LISTED_MAX } from '../../application/index.ts'
import type { OpenedApp, ThreadWait } from '../../application/index.ts'
import { singleText, wholeNumber } from '../streams/cursor.ts'
import { answerList, entrantInListed } from './held-list.ts'
import type { RouteParts } from './route-parts.ts'

/** Threads of one page by default. */
const WAITS_LISTED = 100

/** Answers with what the sender may decide or answer, over all threads that they may enter. */
export function listWaits(context: Context, parts: RouteParts): Promise<Response> {
  return answerList(context, parts, async () => {
    const app = singleText(context, 'app', 'invalid_query')
    const after = singleText(context, 'after', 'invalid_query')
    const limit = wholeNumber(context, 'limit', { min: 1, max: THREADS_LISTED_MAX }) ?? WAITS_LISTED
    const query = {
      limit,
      ...(app !== undefined && { app }),
      ...(after !== undefined && { after }),
    }
    return parts.throughline.waitsOf(query, (thread, owner) =>
      waitsIn(context, parts, { thread, owner }),
    )
  })
}

/** Of a thread that the sender may not enter, nothing. */
async function waitsIn(
  context: Context,
  { access }: RouteParts,
  place: { readonly thread: string; readonly owner: OpenedApp },
): Promise<readonly ThreadWait[]> {
  const entrant = await entrantInListed(context, access, place)
  if (!entrant) return []
  const { role, surface = role } = entrant
  const actor = access.actor(context, entrant)
  const who = { role, surface, ...(actor !== undefined && { actor }) }
  return place.owner.waits(place.thread, who)
}
