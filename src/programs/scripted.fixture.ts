import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { programArguments } from '../../test/program.fixture.ts'
import { openClaude, scriptedClaude } from './index.ts'
import type {
  ClaudeSessionParts,
  ProgramSession,
  ScriptStep,
  ScriptedClaudeParts,
  SessionEvent,
} from './index.ts'

/** A prompt that the scripted CLI plays. */
export function playing(...play: readonly ScriptStep[]): string {
  return JSON.stringify({ play })
}

type Parts = Partial<ClaudeSessionParts> & { readonly scripted?: ScriptedClaudeParts }

/** The command of the scripted CLI as one built file. */
export function builtClaude(scripted?: ScriptedClaudeParts): ReturnType<typeof scriptedClaude> {
  const { bin, args } = scriptedClaude(scripted)
  const own = args.slice(args.findIndex((argument) => !argument.startsWith('--')) + 1)
  return { bin, args: [...programArguments('scripted-cli'), ...own] }
}

/** A session with the scripted CLI, in a folder of its own. */
export function scriptedSession({ scripted, ...parts }: Parts = {}) {
  const { cwd = newFolder() } = parts
  const version = scripted?.version ?? '2.1.330'
  const session = openClaude({ ...builtClaude(scripted), version, ...parts, cwd })
  onTestFinished(async () => void (await session.stop()))
  return { session, cwd }
}

export async function ask(session: ProgramSession, text: string): Promise<string> {
  const id = randomUUID()
  await session.prompt({ id, text })
  return id
}

/** What a session says from now until this is true, or until its process has ended. */
export async function eventsUntil(
  session: ProgramSession,
  isEnough: (event: SessionEvent) => boolean,
): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = []
  for await (const batch of session.events()) {
    events.push(...batch)
    if (batch.some(isEnough)) break
  }
  return events
}

export const untilIdle = (session: ProgramSession) =>
  eventsUntil(session, ({ type }) => type === 'idle')

export const untilExit = (session: ProgramSession) => eventsUntil(session, () => false)

export function only<Type extends SessionEvent['type']>(
  events: readonly SessionEvent[],
  type: Type,
): readonly (SessionEvent & { readonly type: Type })[] {
  return events.filter((event): event is SessionEvent & { type: Type } => event.type === type)
}
