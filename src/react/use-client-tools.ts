'use client'

import { useEffect, useState } from 'react'
import { ClientTools } from './client-tools.ts'
import type { ClientToolRunners } from './client-tools.ts'
import type { LiveAgentThread } from './use-agent-thread.ts'

/**
 * Runs the calls of tools that the page has and the agent has without `execute`, such as a photo or a place,
 * each once in this page, and answers with their results. What a tool throws is its result, as `{ error }`. A
 * turn that waits for a person's answer as well is left to the page.
 *
 * Two pages of one person that show the thread both run a call; the first answer counts.
 *
 * @example
 * const thread = useAgentThread({ thread: 'claim-7' })
 * useClientTools(thread, { where_am_i: () => currentPlace() })
 */
export function useClientTools(
  { questions, answer }: Pick<LiveAgentThread, 'questions' | 'answer'>,
  tools: ClientToolRunners,
): void {
  const [running] = useState(() => new ClientTools())
  useEffect(() => running.take(questions, tools, answer))
}
