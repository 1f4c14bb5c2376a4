import type { IconNode } from 'lucide'
import { ListTree, MessageSquare, Square } from 'lucide'
import { latestRun } from 'throughline/client'
import type { LiveAgentThread } from 'throughline/react'
import type { Command } from '../../kit/index.ts'
import { goTo, inBackground } from '../../kit/index.ts'
import { WORDS } from './words.ts'

/** The id of the part where a person answers or asks. */
export const DESK = 'desk'

const WORDED = WORDS.palette

export interface CommandedThread {
  readonly id: string
  readonly thread: LiveAgentThread
  /** The commands that lead to other pages. */
  readonly places: () => readonly Command[]
}

/** The commands of a thread's page. No command approves a tool call. */
export function threadCommands({ id, thread, places }: CommandedThread): readonly Command[] {
  const { tree, questions, cancel } = thread
  const run = latestRun(tree)
  const act = (label: string, icon: IconNode, doIt: () => void): Command => ({
    group: WORDED.acts,
    label,
    icon,
    run: doIt,
  })
  const isOpen = run?.state.status === 'working' || run?.state.status === 'waiting'
  const isAsked = questions.some((question) => question.run === run?.run)
  return [
    act(isAsked ? WORDED.question : WORDS.ask.heading, MessageSquare, showDesk),
    ...(run && isOpen
      ? [act(WORDS.stop.stopRun(run.agent), Square, () => inBackground(cancel(run.run)))]
      : []),
    ...goTo(`/audit/${encodeURIComponent(id)}`, { label: WORDED.audit, icon: ListTree }),
    ...places(),
  ]
}

function showDesk(): void {
  const desk = document.getElementById(DESK)
  desk?.scrollIntoView({ block: 'nearest' })
  const message = desk?.querySelector('textarea')
  ;(message ?? desk)?.focus()
}
