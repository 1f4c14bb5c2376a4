import { useEffect } from 'react'
import { sideOf } from '../audit/sides.ts'
import type { ActedSide } from '../../home/demonstration/acted-message.ts'
import { tellWhoActed } from '../../home/demonstration/acted-message.ts'
import type { Told } from '../../studio/story/index.ts'

/** In the demonstration, reports to the page around this frame which sides have acted. */
export function useTellActs(story: readonly Told[]): void {
  const acted = ACTING.filter((side) => story.some((told) => isActOf(told, side))).join(' ')
  useEffect(() => {
    tellWhoActed(ACTING.filter((side) => acted.includes(side)))
  }, [acted])
}

const ACTING: readonly ActedSide[] = ['installer', 'customer']

/** An opened link is no answer yet. */
function isActOf({ record, by }: Told, side: ActedSide): boolean {
  return by.source === 'ui' && sideOf(by) === side && record.type !== 'link_opened'
}
