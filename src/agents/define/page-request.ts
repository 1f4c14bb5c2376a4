import type { Json } from '../../json/index.ts'

/** One item of context that the client gives about its page. */
export interface ContextEntry {
  readonly description: string
  readonly value: string
}

/** The parts of a client's request that an agent on another server may be sent as they are. They are not recorded. */
export interface PageRequest {
  /** The state that the client holds. */
  readonly state?: Json
  readonly forwardedProps?: Json
  /** Its own instructions: they are no messages of the thread. */
  readonly systemMessages?: readonly SystemMessage[]
  /** Reads a header of its request. */
  readonly header?: (name: string) => string | undefined
  /** Whether its sender may propose events of a type; by default of none. */
  readonly mayPropose?: (type: string) => boolean
}

export interface SystemMessage {
  readonly id: string
  readonly role: 'system' | 'developer'
  readonly content: string
}
