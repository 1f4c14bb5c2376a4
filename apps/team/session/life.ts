import { LogError } from 'throughline/log'
import type { EventLog, Json, LogRecord, OpenedApp } from 'throughline'
import type { PermissionAsked, PermissionDecided, SessionEvent } from 'throughline/server/extend'
import { membersOf } from 'throughline'
import { startOf } from 'throughline/client'
import type { DocumentStore } from '../documents/index.ts'
import { RULE_CHARS_MAX, TEAM_THREAD } from '../events/index.ts'
import type { PermissionAnswer, TeamState } from '../events/index.ts'
import { TeamReader } from '../reader/index.ts'
import type { TeamProgram } from './program.ts'
import { SignIn } from './sign-in.ts'
import type { Auth } from './sign-in.ts'
import { askedBy, promptText } from './prompt-text.ts'
import { shownCall } from './shown-call.ts'

export interface LifeParts {
  readonly opened: OpenedApp<TeamState>
  readonly log: EventLog
  readonly documents: DocumentStore
  readonly folder: string
  readonly screenPort: number
  readonly onFault: (error: unknown) => void
  /** Of the lease of the team's thread: records of a holder that has lost it are refused. */
  readonly fence: number
}

const PROCESS = { source: 'process', depth: 0 } as const
const SYSTEM = { source: 'system', depth: 0 } as const

/** One process of the program: records its output, and writes the messages to it one by one. */
export class Life {
  readonly program: TeamProgram
  readonly #parts: LifeParts
  readonly #reader: TeamReader
  /** Absent for a script, which needs none. */
  readonly #signIn: SignIn | undefined
  /** The calls that wait for permission. */
  readonly #asked = new Map<string, AskedCall>()
  /** The message that the program works on. */
  #underWay: string | undefined
  #hasEnded = false
  #pumping = false
  #turns = 0

  constructor(
    program: TeamProgram,
    parts: LifeParts & {
      readonly artifacts: Iterable<string>
      readonly usesModel: boolean
      readonly auth: Auth
    },
  ) {
    this.program = program
    this.#parts = parts
    this.#reader = new TeamReader(parts)
    if (parts.usesModel) this.#signIn = new SignIn(parts.auth)
  }

  /** The message that was written and has no result. */
  get underWay(): string | undefined {
    return this.#underWay
  }

  /** Turns of this life that have answered something. */
  get turns(): number {
    return this.#turns
  }

  /** Puts on record what the program says, until it ends. */
  async run(): Promise<void> {
    for await (const events of this.program.events()) {
      try {
        await this.#record(events)
      } catch (error) {
        if (hasLostLease(error)) return
        this.#parts.onFault(error)
      }
      await this.deliver()
    }
    this.#hasEnded = true
    await this.#refusePermissions().catch((error: unknown) => {
      if (!hasLostLease(error)) throw error
    })
  }

  /** Writes the next message, once the one before it has its result. */
  async deliver(): Promise<void> {
    if (this.#underWay !== undefined || this.#hasEnded || this.#pumping) return
    this.#pumping = true
    try {
      const record = await this.#parts.opened.gate.untilRecorded(TEAM_THREAD, () => this.#next())
      if (record) await this.#write(record)
    } catch (error) {
      this.#underWay = undefined
      await this.#writeFailed(error)
    } finally {
      this.#pumping = false
    }
  }

  /** An answer to another call than the one that is asked by this name now is left out. */
  async answer({ request, digest, approved, message, answers }: PermissionAnswer): Promise<void> {
    const asked = this.#asked.get(request)
    if (!asked || asked.digest !== digest) return
    this.#asked.delete(request)
    await this.program.answer(
      request,
      approved
        ? { behavior: 'allow', input: answeredInput(asked, answers), ...(message && { message }) }
        : { behavior: 'deny', message: message || 'The person said no.' },
    )
  }

  /** The oldest message that waits. */
  async #next(): Promise<LogRecord | undefined> {
    const [next] = (await this.#state()).waiting
    return next && this.#parts.log.find(TEAM_THREAD, next.id)
  }

  /** Waits while the store fails. */
  #recordedState(): Promise<TeamState> {
    return this.#parts.opened.gate.untilRecorded(TEAM_THREAD, () => this.#state())
  }

  async #state(): Promise<TeamState> {
    return (await this.#parts.opened.gate.snapshot(TEAM_THREAD)).state
  }

  async #write(record: LogRecord): Promise<void> {
    const { opened, documents: store } = this.#parts
    const all = () => opened.gate.untilRecorded(TEAM_THREAD, () => store.all())
    const documents = record.type === 'user_message' ? [] : await all()
    this.#reader.expect(record.id, askedBy(record))
    this.#underWay = record.id
    await this.program.prompt({ id: record.id, text: promptText(record, documents) })
  }

  /** The message waits for the next process. */
  async #writeFailed(error: unknown): Promise<void> {
    if (this.#hasEnded) return
    const why = error instanceof Error ? error.message : String(error)
    const data = { message: `Cannot write to the program: ${why}`, code: 'stdin_write_failed' }
    await this.#commit([{ type: 'server_error', data }])
  }

  async #record(events: readonly SessionEvent[]): Promise<void> {
    const derived: Proposed[] = []
    const ended: string[] = []
    for (const event of events) {
      derived.push(...(await this.#derivedFrom(event)))
      const auth = this.#signIn?.take(event)
      if (auth) derived.push({ type: 'auth_state', data: auth, origin: SYSTEM })
      if (event.type === 'turn_ended') ended.push(...event.prompts)
      // A turn that the program began by itself answers nobody.
      if (event.type === 'turn_ended' && event.prompts.length > 0) this.#turns++
      if (event.type === 'idle') derived.push(...this.#lostResult(ended))
    }
    if (derived.length > 0) await this.#commit(derived)
    if (this.#underWay !== undefined && ended.includes(this.#underWay)) this.#underWay = undefined
  }

  async #derivedFrom(event: SessionEvent): Promise<readonly Proposed[]> {
    switch (event.type) {
      case 'permission_asked':
        return [this.#permissionAsked(event)]
      case 'permission_decided':
        return [decidedCall(event)]
      case 'permission_withdrawn':
        return this.#withdrawn(event.request)
      default:
        return this.#reader.take(event)
    }
  }

  /** The program does not run a message again that it answered before a crash, so that no result comes. */
  #lostResult(ended: string[]) {
    const id = this.#underWay
    if (id === undefined || ended.includes(id)) return []
    ended.push(id)
    const message = 'The program answered this before it ended, and the result was lost'
    return [{ type: 'server_error', data: { message, code: 'unknown', answers: [id] } }]
  }

  #permissionAsked(asked: PermissionAsked) {
    const { request, toolName, input, questions } = asked
    const shown = shownCall(toolName, input)
    this.#asked.set(request, { input, digest: shown.digest, isQuestion: questions !== undefined })
    return { type: 'permission_asked', data: { request, ...shown } }
  }

  async #withdrawn(request: string) {
    this.#asked.delete(request)
    const { permissions } = await this.#recordedState()
    const asked = permissions.find((each) => each.request === request)
    if (!asked) return []
    const { digest } = asked
    const message = 'The program asks no more'
    return [{ type: 'permission_answered', data: { request, digest, approved: false, message } }]
  }

  /** The questions of a program that has ended are denied. */
  async #refusePermissions(): Promise<void> {
    const { permissions } = await this.#recordedState()
    const message = 'The program ended'
    const denials = permissions.map(({ request, digest }) => ({
      type: 'permission_answered',
      data: { request, digest, approved: false, message },
    }))
    if (denials.length > 0) await this.#commit(denials)
  }

  /**
   * Records the events, again and again while the store's fault may pass; an error replaces an event that
   * cannot be recorded.
   */
  async #commit(proposals: readonly Proposed[]): Promise<void> {
    try {
      await this.#append(proposals)
    } catch (error) {
      if (hasLostLease(error)) throw error
      this.#parts.onFault(error)
      if (proposals.length > 1) {
        for (const proposal of proposals) await this.#commit([proposal])
        return
      }
      const message = `Cannot record "${proposals[0]?.type}"`
      await this.#append([{ type: 'server_error', data: { message, code: 'unknown' } }])
    }
  }

  async #append(proposals: readonly Proposed[]): Promise<void> {
    const { opened, fence } = this.#parts
    const events = proposals.map((proposal) => ({ origin: PROCESS, ...proposal }))
    await opened.gate.commit(TEAM_THREAD, events, { fence, mustRecord: true })
  }
}

function decidedCall({ toolName: tool, input: given, behavior, rule }: PermissionDecided) {
  const { toolName, input } = shownCall(tool, given)
  const told = startOf(rule, RULE_CHARS_MAX)
  return { type: 'permission_decided', data: { toolName, input, behavior, rule: told } }
}

function hasLostLease(error: unknown): boolean {
  return error instanceof LogError && (error.code === 'fenced' || error.code === 'closed')
}

/** A call that asks a person something takes the answers with its input; every other is made as it was shown. */
function answeredInput({ input, isQuestion }: AskedCall, answers: PermissionAnswer['answers']) {
  return answers && isQuestion ? { ...membersOf(input), answers } : input
}

interface AskedCall {
  readonly input: Json
  /** Of what was shown of it. */
  readonly digest: string
  readonly isQuestion: boolean
}

interface Proposed {
  readonly type: string
  readonly data: unknown
  /** By default the program. */
  readonly origin?: typeof SYSTEM
}
