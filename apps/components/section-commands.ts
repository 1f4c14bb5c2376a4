import { Hash } from 'lucide'
import { placeCommands } from '../home/place-commands.ts'
import type { Command } from '../kit/index.ts'

/** The places, and the sections of this page. */
export function sectionCommands(): readonly Command[] {
  const headings = [...document.querySelectorAll<HTMLElement>('main > section h2')]
  return [
    ...headings.map((heading) => ({
      group: 'On this page',
      label: heading.textContent,
      icon: Hash,
      run: () => {
        heading.tabIndex = -1
        heading.focus()
      },
    })),
    ...placeCommands(),
  ]
}
