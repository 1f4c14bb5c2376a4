import { useEffect } from 'react'
import { SHELL_WORDS } from './shell-words.ts'
import { STEP_NAMES } from './steps.ts'

/** Names the step in the page's title, where a list of tabs and a screen reader find it. */
export function usePageTitle(step: number | undefined): void {
  useEffect(() => {
    const name = step === undefined ? undefined : STEP_NAMES[step - 1]
    document.title =
      step === undefined || name === undefined
        ? SHELL_WORDS.title
        : SHELL_WORDS.documentTitle(name, SHELL_WORDS.steps.count(step, STEP_NAMES.length))
  }, [step])
}
