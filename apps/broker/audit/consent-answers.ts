import { membersOf, textOf } from 'throughline'
import type { Json } from 'throughline'
import type { ConsentType } from '../case/state.ts'
import { CONSENT_TYPES } from '../case/state.ts'
import type { Told } from '../../studio/story/index.ts'

/** One answer to a consent. */
export interface ConsentAnswer {
  readonly type: ConsentType
  readonly granted: boolean
  /** Its relation to the answer before it to the same consent. */
  readonly change: 'first' | 'changed' | 'repeated'
  /** In milliseconds since the epoch. */
  readonly at: number
  readonly bound?: boolean
  /** Absent if only the seed of a recovered case holds the answer. */
  readonly seq?: number
}

/** Lists every answer to every consent, oldest first. Pure. */
export function consentAnswers(story: readonly Told[]): readonly ConsentAnswer[] {
  const latest = new Map<ConsentType, boolean>()
  return story.flatMap(answersIn).map((answer) => {
    const before = latest.get(answer.type)
    latest.set(answer.type, answer.granted)
    const change =
      before === undefined ? 'first' : before === answer.granted ? 'repeated' : 'changed'
    return { ...answer, change }
  })
}

type Answer = Omit<ConsentAnswer, 'change'>

function answersIn({ record, kind, payload, recovered = [] }: Told): readonly Answer[] {
  if (kind === 'consent_recorded') return answerOf(payload, { at: record.ts, seq: record.seq })
  return recovered
    .filter((told) => told.kind === 'consent_recorded')
    .flatMap((told) => answerOf(told.payload ?? null, { at: Date.parse(told.ts) }))
}

function answerOf(data: Json, where: Pick<Answer, 'at' | 'seq'>): readonly Answer[] {
  const { granted, bound } = membersOf(data)
  const type = CONSENT_TYPES.find((each) => each === textOf(data, 'consentType'))
  if (type === undefined || typeof granted !== 'boolean') return []
  return [{ type, granted, ...where, ...(typeof bound === 'boolean' && { bound }) }]
}
