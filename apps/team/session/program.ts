import type { ProgramSession } from 'throughline/server/extend'

/** The model of a program that follows a script: it calls none. */
export const SCRIPTED_MODEL = 'scripted'

/** One life of the program that plays the team. */
export type TeamProgram = Pick<
  ProgramSession,
  'pid' | 'ready' | 'exited' | 'events' | 'prompt' | 'interrupt' | 'answer' | 'stop'
>

export interface ProgramWish {
  /** The program's name for the conversation to go on with. */
  readonly resume?: string
  readonly demoMode: boolean
  /** The process of an earlier server, which may still be at work; it is ended first. */
  readonly orphan?: number
}

/** The program that the team is played by, and how it is started. */
export interface Programs {
  readonly model: string
  open(wish: ProgramWish): Promise<TeamProgram>
}
