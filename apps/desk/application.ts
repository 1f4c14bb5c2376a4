import { defineApp } from 'throughline'
import type { App } from 'throughline'
import type { LanguageModel } from 'throughline/models'
import { deskAgents } from './index.ts'

/** The desk: its agents only talk and use tools, so its threads have no state of their own. */
export function deskApp(model: LanguageModel): App {
  return defineApp({ name: 'desk', agents: deskAgents({ model }) })
}
