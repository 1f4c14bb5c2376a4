import { membersOf, textOf } from 'throughline/client'
import type { Json } from 'throughline/client'

/** The side of a case whose person has acted. */
export type ActedSide = 'installer' | 'customer'

const SIDES: readonly ActedSide[] = ['installer', 'customer']
const KIND = 'throughline.acted'

/** Reports to the page around this frame, if it is one of ours, which sides have acted. */
export function tellWhoActed(sides: readonly ActedSide[]): void {
  if (window.parent === window) return
  window.parent.postMessage({ kind: KIND, sides }, location.origin)
}

/** Calls back with the sides that a page in a frame says have acted. Returns a function that ends it. */
export function onWhoActed(told: (sides: readonly ActedSide[]) => void): () => void {
  const receive = ({ origin, data }: MessageEvent<Json>): void => {
    if (origin !== location.origin || textOf(data, 'kind') !== KIND) return
    const { sides } = membersOf(data)
    if (Array.isArray(sides)) told(SIDES.filter((side) => sides.includes(side)))
  }
  addEventListener('message', receive)
  return () => removeEventListener('message', receive)
}
