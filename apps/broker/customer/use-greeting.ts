import { useEffect, useRef } from 'react'
import type { Turns } from '../../kit/index.ts'
import { inBackground } from '../../kit/index.ts'

/** Asks the assistant to begin, once, on a page that opens on an empty transcript. */
export function useGreeting(transcript: 'awaited' | 'empty' | 'begun', { take }: Turns): void {
  const asked = useRef(false)
  useEffect(() => {
    if (transcript !== 'empty' || asked.current) return
    asked.current = true
    inBackground(take({ isFirstTurn: true }, 'chat'))
  }, [transcript, take])
}
