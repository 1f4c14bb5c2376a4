import { textOf } from '../json/index.ts'
import { changingAgents } from '../agents/index.ts'
import type { Tool, ToolContext } from '../agents/index.ts'
import { waitOf } from '../activity/index.ts'
import type { Wait } from '../activity/index.ts'
import { Throughline } from '../application/index.ts'
import type { App } from '../application/index.ts'
import { InvariantError, ThroughlineError } from '../assert/index.ts'
import { ManualClock } from '../due-work/index.ts'
import type { EffectRunners } from '../due-work/index.ts'
import { MemoryLog } from '../log/index.ts'
import type { LogRecord } from '../log/index.ts'
import { scriptedModel } from '../models/index.ts'
import type { LanguageModel, ScriptedReply } from '../models/index.ts'
import { sha256, uuidv7 } from '../platform/index.ts'
import type { ImpurityWatch } from '../replay/index.ts'
import { DomainChecks } from './domain-checks.ts'
import type { Seen } from './finding.ts'
import type { AnswerStep, EventStep, Outside, Piece, Proposed, Step, TurnStep } from './step.ts'

const THREAD = 'fuzz'
const BEGINS_AT = Date.UTC(2026, 0, 1)

/** What happened in the runs so far, by the names of the declarations. */
export interface Covered {
  readonly accepted: Set<string>
  readonly ofModels: Set<string>
  readonly fired: Set<string>
  readonly due: Set<string>
  proposals: number
}

interface WorldParts {
  readonly app: App
  readonly watch: ImpurityWatch
  readonly covered: Covered
  /** The records of threads that a run may begin with. */
  readonly stored: readonly (readonly LogRecord[])[]
}

/**
 * One thread of an application in memory, with its own gate, rules, agents and deadlines. Its models write what
 * the steps say; its tools and effects do no work in the world.
 */
export class HostileWorld {
  readonly seen: Seen[] = []
  readonly #parts: WorldParts
  readonly #clock = new ManualClock(BEGINS_AT)
  readonly #log = new MemoryLog({ hash: sha256, now: this.#clock.now, id: uuidv7 })
  readonly #checks: DomainChecks
  readonly #agreed = new Set<string>()
  #tl: Throughline | undefined
  #turn: WrittenTurn | undefined
  /** The proposals of the tool of each call, by the call's id. */
  readonly #proposals = new Map<string, readonly Proposed[]>()
  readonly #counts = { written: new Map<string, number>(), quoted: new Map<string, number>() }
  /** What was asked and not answered yet, the oldest first. */
  readonly #waits: { readonly run: string; readonly wait: Wait }[] = []
  #read = -1
  #thread = THREAD

  constructor(parts: WorldParts) {
    this.#parts = parts
    this.#checks = new DomainChecks(parts.app, {
      watch: parts.watch,
      found: (seen) => this.seen.push(seen),
    })
  }

  /** Begins with what the first step stores. */
  async begin(first: Step | undefined): Promise<void> {
    const { app, stored } = this.#parts
    const records = first?.kind === 'stored' ? stored[first.thread] : undefined
    if (first?.kind === 'stored' && records) {
      const begun = records.slice(0, Math.ceil(first.share * records.length))
      this.#thread = records[0]?.thread ?? THREAD
      await this.#log.append(this.#thread, begun)
      this.#clock.advance(Math.max(0, (begun.at(-1)?.ts ?? 0) - this.#clock.now()))
    }
    this.#tl = await Throughline.start({
      log: this.#log,
      apps: [this.#hostile(app)],
      now: this.#clock.now,
      id: uuidv7,
      sha256,
      clock: this.#clock,
      retryDelayMs: 0,
      onFault: (error) => this.#thrown('work in the background', error),
    })
    await this.#look()
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'event') await this.#propose(step)
    else if (step.kind === 'turn') await this.#take(step)
    else if (step.kind === 'answer') await this.#resume(step)
    else if (step.kind === 'wait') this.#clock.advance(step.ms)
    await this.#tl?.settled()
    await this.#look()
  }

  async end(): Promise<void> {
    await this.#tl?.close(0)
    await this.#log.close()
  }

  async #propose({ choices }: EventStep): Promise<void> {
    const ts = this.#clock.now()
    let chosen: Outside | undefined
    for (const each of choices) {
      const decision = this.#checks.decide(each, { ts, origin: originOf(each) })
      if (decision === 'throws') return
      if (decision === 'accepted') chosen ??= each
    }
    const { source, surface, type, data } = chosen ?? choices[0] ?? {}
    if (source === undefined) return
    this.#parts.covered.proposals++
    const proposer = { source, actor: 'somebody', ...(surface !== undefined && { surface }) }
    await this.#calm(`"${type}" of ${source}`, async () => {
      await this.#tl?.as(proposer).propose(this.#thread, [{ type, data } as never])
    })
  }

  async #take({ agent, said, answers, chunk }: TurnStep): Promise<void> {
    const surface = this.#parts.app.agents.find(({ name }) => name === agent)?.surface
    const origin = { source: 'model', depth: 0, ...(surface !== undefined && { surface }) } as const
    const written = answers.map((pieces) => pieces.map((piece) => this.#written(piece, origin)))
    if (written.flat().includes('throws')) return
    const turn = { chunk, answers: written as readonly (readonly Written[])[], given: 0 }
    const echoes = tagsIn(turn, ['echo'])
    const before = this.#turn
    this.#turn = turn
    const input = [said, ...echoes.map(tagText)].join('\n')
    const isTaken = await this.#calm(`a turn of "${agent}"`, async () => {
      const asked = { agent, input, actor: 'somebody' }
      await this.#tl?.turn(this.#thread, asked as never).result
    })
    // The turn before it still waits for a person, and goes on with its own answers.
    if (!isTaken) this.#turn = before
    else this.#count(turn)
  }

  /** What the model writes of a piece, as the state is. */
  #written(piece: Piece, origin: LogRecord['origin']): Written | 'throws' {
    if (piece.kind !== 'tag') return piece
    const ts = this.#clock.now()
    let chosen: Proposed | undefined
    for (const each of piece.choices) {
      const decision = this.#checks.decide(each, { ts, origin })
      if (decision === 'throws') return 'throws'
      if (decision === 'accepted') chosen ??= each
    }
    this.#parts.covered.proposals++
    const { type = '', data } = chosen ?? piece.choices[0] ?? {}
    return { kind: 'tag', type, data, place: piece.place }
  }

  #count(turn: WrittenTurn): void {
    for (const { type } of tagsIn(turn, ['prose'])) add(this.#counts.written, type)
    for (const { type } of tagsIn(turn, ['span', 'fence', 'echo'])) add(this.#counts.quoted, type)
  }

  async #resume({ agrees, actor, text }: AnswerStep): Promise<void> {
    const asked = this.#waits.shift()
    if (!asked) return
    const { run, wait } = asked
    if (agrees) this.#agreed.add(wait.toolCallId)
    const values = Object.keys(wait.requestKeys).map((name) => {
      return [name, name === 'approved' ? agrees : text] as const
    })
    const [role] = wait.by ?? []
    const answerer = { actor, ...(role !== undefined && { role }) }
    await this.#calm('the answer of a person', async () => {
      const answer = { run, values: Object.fromEntries(values), ...answerer }
      await this.#tl?.resume(this.#thread, answer).result
    })
  }

  /** What the library refuses with a code is no finding. */
  async #calm(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof ThroughlineError)) this.#thrown(what, error)
      return false
    }
  }

  #thrown(part: string, error: unknown): void {
    // The checks of the domain have named it with the events that lead there.
    if (this.seen.length > 0 && error instanceof InvariantError) return
    const detail = error instanceof Error ? error.message : String(error)
    this.seen.push({ kind: 'throws', part, detail, past: this.#checks.past })
  }

  /** Checks the records that the last step has left. */
  async #look(): Promise<void> {
    const records: LogRecord[] = []
    for await (const batch of this.#log.read(this.#thread, { after: this.#read }))
      records.push(...batch)
    this.#read += records.length
    const { covered, app } = this.#parts
    for (const record of records) {
      const { type, data, origin } = record
      const wait = waitOf(record)
      if (wait) this.#waits.push({ run: origin.turn ?? origin.run ?? '', wait })
      if (type === 'effect_requested') covered.due.add(textOf(data, 'effect'))
      if (!app.domain.events.has(type)) continue
      covered.accepted.add(type)
      if (origin.source === 'model') covered.ofModels.add(`${type}${placeOf(origin.surface)}`)
      if (origin.rule !== undefined) covered.fired.add(origin.rule)
    }
    this.#checks.take(records, this.#counts.written, this.#counts.quoted)
  }

  #hostile({ retain: _retain, domainVersion: _version, ...app }: App): App {
    const model = this.#model()
    const changed = changingAgents<unknown>((agent) => ({
      ...(agent.model && { model }),
      tools: new Map([...agent.tools].map(([name, tool]) => [name, this.#tool(name, tool)])),
    }))
    const names = Object.keys(app.effects)
    const effects: EffectRunners<unknown> = Object.fromEntries(
      names.map((name) => [
        name,
        { run: () => Promise.reject(new Error('There is no world here')) },
      ]),
    )
    return { ...app, erasable: false, effects, agents: app.agents.map(changed) }
  }

  #model(): LanguageModel {
    const model = scriptedModel(() => this.#reply())
    return {
      ...model,
      doStream: (call: Parameters<typeof model.doStream>[0]) =>
        scriptedModel(() => this.#reply(), { chunkLength: this.#turn?.chunk ?? 16 }).doStream(call),
    } as LanguageModel
  }

  #reply(): ScriptedReply {
    const turn = this.#turn
    const pieces = turn?.answers[turn.given++]
    if (!pieces) return 'Done.'
    const toolCalls = pieces.flatMap((piece) => {
      if (piece.kind !== 'call') return []
      const id = `call_${uuidv7()}`
      this.#proposals.set(id, piece.proposes)
      return [{ name: piece.tool, input: piece.input, id }]
    })
    return { text: pieces.map(textIn).join(' '), toolCalls }
  }

  #tool(name: string, tool: Tool): Tool {
    if (!tool.execute) return tool
    return {
      ...tool,
      execute: (_input: unknown, context: ToolContext) => this.#run(name, tool, context),
    }
  }

  async #run(name: string, { needsApproval }: Tool, context: ToolContext): Promise<string> {
    const isAlwaysAsked =
      needsApproval === true ||
      (typeof needsApproval === 'object' && needsApproval.if === undefined)
    if (isAlwaysAsked && !this.#agreed.has(context.toolCallId)) {
      const detail = `"${name}" ran, and nobody had agreed to it`
      this.seen.push({
        kind: 'without_approval',
        part: `tool "${name}"`,
        detail,
        past: this.#checks.past,
      })
    }
    const proposals = this.#proposals.get(context.toolCallId) ?? []
    for (const { type } of proposals) add(this.#counts.written, type)
    if (proposals.length > 0) await context.propose(proposals as never).catch(() => undefined)
    return 'Done.'
  }
}

function originOf({ source, surface }: Outside): LogRecord['origin'] {
  return { source, depth: 0, ...(surface !== undefined && { surface }) }
}

type Tag = Proposed & Pick<Extract<Piece, { readonly kind: 'tag' }>, 'kind' | 'place'>
type Written = Exclude<Piece, { readonly kind: 'tag' }> | Tag

interface WrittenTurn extends Pick<TurnStep, 'chunk'> {
  readonly answers: readonly (readonly Written[])[]
  /** How many answers the model has given. */
  given: number
}

function tagsIn({ answers }: WrittenTurn, places: readonly Tag['place'][]): readonly Tag[] {
  const tags = answers.flat().filter((piece) => piece.kind === 'tag')
  return tags.filter(({ place }) => places.includes(place))
}

function add(counts: Map<string, number>, type: string): void {
  counts.set(type, (counts.get(type) ?? 0) + 1)
}

function textIn(piece: Written): string {
  if (piece.kind === 'text') return piece.text
  if (piece.kind === 'call') return ''
  const tag = tagText(piece)
  if (piece.place === 'span') return `\`${tag}\``
  return piece.place === 'fence' ? `\n\`\`\`\n${tag}\n\`\`\`\n` : tag
}

function tagText({ type, data }: Tag): string {
  return `<agent-event type="${type}" data='${JSON.stringify(data).replaceAll("'", '\\u0027')}' />`
}

function placeOf(surface: string | undefined): string {
  return surface === undefined ? '' : ` on ${surface}`
}
