import { defineApp } from 'throughline'
import type { App, LanguageModel } from 'throughline'
import { startOf } from 'throughline/client'
import { deskAgents } from './index.ts'

/** Characters of the first message in the list of conversations. */
const SUBJECT_CHARS_MAX = 120

/** The desk: its agents only talk and use tools, so its threads have no state of their own. */
export function deskApp(model: LanguageModel): App {
  return defineApp({
    name: 'desk',
    agents: deskAgents({ model }),
    domainVersion: '1',
    index: {
      status: (_state, { status }) => status,
      agent: (_state, { agent }) => agent,
      subject: (_state, { firstPrompt }) => firstPrompt && startOf(firstPrompt, SUBJECT_CHARS_MAX),
    },
  })
}
