import { useEffect, useRef, useState } from 'react'
import { LOCALE } from './locale.ts'

export type DictationStatus = 'off' | 'listening' | 'blocked' | 'failed'

export interface Dictation {
  readonly status: DictationStatus
  readonly start: () => void
  readonly stop: () => void
}

/** The used part of the Web Speech API; TypeScript's DOM describes the results only. */
interface Recognition extends EventTarget {
  lang: string
  continuous: boolean
  interimResults: boolean
  start(): void
  stop(): void
  abort(): void
}

/**
 * Speech turned into text by the browser; undefined where it cannot. `onHeard` gets all that was heard
 * since the start, again and again, as the browser makes up its mind.
 */
export function useDictation(onHeard: (text: string) => void): Dictation | undefined {
  const [status, setStatus] = useState<DictationStatus>('off')
  const recognition = useRef<Recognition>(undefined)
  useEffect(() => () => recognition.current?.abort(), [])
  const listening = recognitionClass()
  if (!listening) return undefined
  const start = (): void => {
    const begun = new listening()
    recognition.current = begun
    Object.assign(begun, { lang: LOCALE, continuous: true, interimResults: true })
    begun.addEventListener('result', (event) => onHeard(heardIn(event)))
    begun.addEventListener('error', (event) => setStatus(statusAfter(event)))
    begun.addEventListener('end', () => setStatus((now) => (now === 'listening' ? 'off' : now)))
    setStatus('listening')
    begun.start()
  }
  const stop = (): void => recognition.current?.stop()
  return { status, start, stop }
}

function recognitionClass(): (new () => Recognition) | undefined {
  // Chromium and Safari have it under the older name, others not at all.
  const { SpeechRecognition, webkitSpeechRecognition } = window as Window & {
    readonly SpeechRecognition?: new () => Recognition
    readonly webkitSpeechRecognition?: new () => Recognition
  }
  return SpeechRecognition ?? webkitSpeechRecognition
}

function heardIn(event: Event): string {
  // The one event of this name; the DOM's types do not have it.
  const { results } = event as Event & { readonly results: SpeechRecognitionResultList }
  return Array.from(results, ([best]) => best?.transcript.trim() ?? '').join(' ')
}

function statusAfter(event: Event): DictationStatus {
  // The one event of this name; the DOM's types do not have it.
  const { error } = event as Event & { readonly error: string }
  if (error === 'not-allowed' || error === 'service-not-allowed') return 'blocked'
  return error === 'no-speech' || error === 'aborted' ? 'off' : 'failed'
}
