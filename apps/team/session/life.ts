import { LogError } from 'throughline/log'
import type { EventLog, LogRecord, OpenedApp } from 'throughline'
import type { SessionEvent } from 'throughline/server/extend'
import type { DocumentStore } from '../documents/index.ts'
import { TEAM_THREAD, isSpent } from '../events/index.ts'
import type { PermissionAnswer, TeamState } from '../events/index.ts'
import { TeamReader } from '../reader/index.ts'
import { AskedPermissions, decidedCall } from './asked-permissions.ts'
import type { TeamProgram } from './program.ts'
import { SignIn } from './sign-in.ts'
import type { Auth } from './sign-in.ts'
import { askedBy, promptText } from './prompt-text.ts'

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

type Answer = Awaited<ReturnType<OpenedApp['gate']['commit']>>['answers'][number]

const PROCESS = { source: 'process', depth: 0 } as const
const SYSTEM = { source: 'system', depth: 0 } as const

/** One process of the program: records its output, and writes the messages to it one by one. */
export class Life {
  readonly program: TeamProgram
  readonly #parts: LifeParts
  readonly #reader: TeamReader
  /** Absent for a script, which needs none. */
  readonly #signIn: SignIn | undefined
  readonly #permissions: AskedPermissions
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
    this.#permissions = new AskedPermissions({
      program,
      folder: parts.folder,
      state: () => this.#recordedState(),
      record: async (type, data) => (await this.#append([{ type, data }])).every(isAccepted),
    })
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

  answer(answer: PermissionAnswer): Promise<void> {
    return this.#permissions.answer(answer)
  }

  /** The oldest message that waits; with its budget spent, the session begins no turn. */
  async #next(): Promise<LogRecord | undefined> {
    const { waiting, budget } = await this.#state()
    const [next] = isSpent(budget) ? [] : waiting
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
    const { opened, documents } = this.#parts
    const text = await opened.gate.untilRecorded(TEAM_THREAD, () => promptText(record, documents))
    this.#reader.expect(record.id, askedBy(record))
    this.#underWay = record.id
    await this.program.prompt({ id: record.id, text })
  }

  /** The message waits for the next process. */
  async #writeFailed(error: unknown): Promise<void> {
    if (this.#hasEnded) return
    const why = error instanceof Error ? error.message : String(error)
    const data = { message: `Cannot write to the program: ${why}`, code: 'stdin_write_failed' }
    await this.#commit([{ type: 'server_error', data }])
  }

  async #record(events: readonly SessionEvent[]): Promise<void> {
    let derived: Proposed[] = []
    const ended: string[] = []
    for (const event of events) {
      if (event.type === 'permission_asked') {
        // A rule may answer at once, and what was said before comes first.
        await this.#commit(derived)
        derived = []
      }
      derived.push(...(await this.#derivedFrom(event)))
      const auth = this.#signIn?.take(event)
      if (auth) derived.push({ type: 'auth_state', data: auth, origin: SYSTEM })
      if (event.type === 'turn_ended') ended.push(...event.prompts)
      // A turn that the program began by itself answers nobody.
      if (event.type === 'turn_ended' && event.prompts.length > 0) this.#turns++
      if (event.type === 'idle') derived.push(...this.#lostResult(ended))
    }
    await this.#commit(derived)
    if (this.#underWay !== undefined && ended.includes(this.#underWay)) this.#underWay = undefined
  }

  async #derivedFrom(event: SessionEvent): Promise<readonly Proposed[]> {
    switch (event.type) {
      case 'permission_asked':
        return this.#permissions.ask(event)
      case 'permission_decided':
        return [decidedCall(event)]
      case 'permission_withdrawn':
        return this.#permissions.withdraw(event.request)
      default:
        return this.#reader.take(event)
    }
  }

  /** The program does not run a message again that it answered before a crash, so that no result comes. */
  #lostResult(ended: string[]) {
    const id = this.#underWay
    if (id === undefined || ended.includes(id)) return []
    ended.push(id)
    const message =
      'The program ended on a message, and does not take it again. What it did until then stands. Send the message again, or drop it'
    const data = { message, code: 'unknown', answers: [id], isSetAside: true }
    return [{ type: 'server_error', data }]
  }

  /** The questions of a program that has ended are denied. */
  async #refusePermissions(): Promise<void> {
    await this.#commit(await this.#permissions.close())
  }

  /**
   * Records the events, again and again while the store's fault may pass; an error replaces an event that
   * cannot be recorded.
   */
  async #commit(proposals: readonly Proposed[]): Promise<void> {
    if (proposals.length === 0) return
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

  async #append(proposals: readonly Proposed[]): Promise<readonly Answer[]> {
    const { opened, fence } = this.#parts
    const events = proposals.map((proposal) => ({ origin: PROCESS, ...proposal }))
    const options = { fence, mustRecord: true } as const
    return (await opened.gate.commit(TEAM_THREAD, events, options)).answers
  }
}

function isAccepted({ refusal }: Answer): boolean {
  return refusal === undefined
}

function hasLostLease(error: unknown): boolean {
  return error instanceof LogError && (error.code === 'fenced' || error.code === 'closed')
}

interface Proposed {
  readonly type: string
  readonly data: unknown
  /** By default the program. */
  readonly origin?: typeof SYSTEM
}
