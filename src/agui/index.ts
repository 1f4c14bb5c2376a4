/**
 * A thread's records as AG-UI 1.0, without a server: the events of all its turns, its messages, and what
 * a client is sent that joins it. The same records give the same events. The other way round, an AG-UI agent
 * as one of ours, and our client of AG-UI agents, which are rooms of their own. It must never know where a
 * log is kept.
 *
 * @module
 */

export { frameText } from '../faces/index.ts'

export { joinPrelude } from './join-prelude.ts'
export type { JoinOptions, JoinPrelude } from './join-prelude.ts'

export { threadMessages } from './thread-messages.ts'
export { toAgui } from './to-agui.ts'
export type { AguiOptions } from './app-view.ts'
