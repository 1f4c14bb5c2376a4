import { useEffect } from 'react'

/** `/` goes to the message box, `n` to what needs an answer; neither while a person types. */
export function useTeamKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const place = { '/': '[data-message-box]', n: '#needs-you' }[event.key]
      const element = place === undefined ? null : document.querySelector<HTMLElement>(place)
      if (!element) return
      event.preventDefault()
      element.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog') !== null
}
