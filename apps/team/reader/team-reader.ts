import { startOf } from 'throughline/client'
import { textOf } from 'throughline'
import type { SessionEvent, ToolResult, TurnEnded } from 'throughline/server/extend'
import { TOOL_OUTPUT_CHARS_MAX } from '../events/index.ts'
import type { Ask, Block, Payload } from '../events/index.ts'
import { artifactWritten } from './artifact.ts'
import { TEXT_CHARS_MAX, partsOf, storedBlock } from './blocks.ts'
import { Faults } from './faults.ts'
import { readMarkers, withoutMarkers } from './markers.ts'
import type { Derivation, Marked } from './proposal.ts'
import { screenCommands } from './screen.ts'
import { firstObject } from './suggestions.ts'

const NOTHING_SPENT = {
  costUsd: null,
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 },
  usageByModel: [],
} as const

/** The message of an answer to a request for help that is no draft. */
const HELP_MESSAGE = 'job-help'

/** What a person does about a program that is not signed in. */
export const HOW_TO_SIGN_IN =
  'To sign the program in, run `claude auth login` where the server runs, or set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN and start the server again'

/** A prompt's request besides an answer. */
export interface PromptRequest {
  /** The agent that the lead passes the message on to. */
  readonly target: string | null
  readonly ask?: Ask | undefined
}

export interface TeamReaderParts {
  /** The folder that the program works in. */
  readonly folder: string
  readonly screenPort: number
  /** Names of the artifacts that exist already. */
  readonly artifacts: Iterable<string>
  /** False for a script: the tokens and cost that it claims are made up, and left out. */
  readonly usesModel: boolean
}

/**
 * Parses the output of one process into the team's events. Only the lead's text is searched for markers. A
 * turn belongs to the prompt with its id, whatever the order.
 */
export class TeamReader {
  readonly #folder: string
  readonly #screenPort: number
  readonly #usesModel: boolean
  readonly #artifacts: Set<string>
  readonly #asked = new Map<string, PromptRequest>()
  readonly #faults = new Faults()
  /** The prompts of the turn that is open. */
  #answering: readonly string[] = []
  /** The lead's text in the open turn. */
  #said = ''

  constructor({ folder, screenPort, artifacts, usesModel }: TeamReaderParts) {
    this.#folder = folder
    this.#screenPort = screenPort
    this.#artifacts = new Set(artifacts)
    this.#usesModel = usesModel
  }

  /** Announces a prompt to the reader before it is written. */
  expect(id: string, asked: PromptRequest): void {
    this.#asked.set(id, asked)
  }

  take(event: SessionEvent): readonly Derivation[] {
    switch (event.type) {
      case 'session':
        return [{ type: 'claude_system', data: systemOf(event) }]
      case 'prompt_taken':
        if (this.#asked.has(event.prompt)) this.#answering = [...this.#answering, event.prompt]
        return []
      case 'message':
        return this.#message(event)
      case 'tool_result':
        return this.#toolResult(event)
      case 'provider_failed':
        return [{ type: 'server_error', data: failureOf(event) }]
      case 'compacted':
        return [{ type: 'claude_compact', data: {} }]
      case 'fault':
        return this.#faults.take(event)
      case 'turn_ended':
        return this.#turnEnded(event)
      default:
        return []
    }
  }

  #message(event: Extract<SessionEvent, { type: 'message' }>): readonly Derivation[] {
    const { message: messageId, parent } = event
    const marked: Marked[] = []
    const blocks: Block[] = []
    for (const block of event.blocks.map(storedBlock)) {
      const read = block.type === 'text' ? readMarkers(block.text, speakerOf(parent)) : undefined
      marked.push(...(read?.marked ?? []))
      const shown = read ? { type: 'text' as const, text: read.text } : block
      if (shown.type !== 'text' || shown.text.trim() !== '') blocks.push(shown)
    }
    if (parent !== null) return [...marked, ...textEvents(messageId, blocks, parent)]
    const texts = blocks.filter((block) => block.type === 'text')
    const said = texts.map(({ text }) => text).join('\n')
    this.#said = startOf(`${this.#said}\n${said}`, TEXT_CHARS_MAX)
    const others = blocks.filter((block) => block.type !== 'text')
    if (this.#isHelping) return [...marked, ...textEvents(messageId, others)]
    const agentName = this.#routedTo
    if (agentName === undefined) return [...marked, ...textEvents(messageId, blocks)]
    const relayed = partsOf(texts).map((content) => ({
      type: 'agent_message' as const,
      data: { agentName, content: [...content] },
    }))
    return [...marked, ...relayed, ...textEvents(messageId, others)]
  }

  /** The answer is a draft for a form, and no speech. */
  get #isHelping(): boolean {
    return this.#answering.some((id) => this.#asked.get(id)?.ask?.kind === 'job_help')
  }

  get #routedTo(): string | undefined {
    const targets = this.#answering.map((id) => this.#asked.get(id)?.target)
    return targets.find((target) => typeof target === 'string')
  }

  #toolResult(result: ToolResult): readonly Derivation[] {
    const { call: toolUseId, toolName, isError, parent } = result
    const content = startOf(result.content, TOOL_OUTPUT_CHARS_MAX)
    const data = { toolUseId, toolName, content, isError, ...within(parent) }
    const shown = { type: 'claude_tool_result', data } as const
    if (isError) return [shown]
    return [shown, ...this.#confirmed(result)]
  }

  /** Returns the events that follow from a call with a successful result. */
  #confirmed({ toolName, input, content, fileChange }: ToolResult): readonly Derivation[] {
    if (toolName === 'Write') {
      const at = { folder: this.#folder, known: this.#artifacts }
      const data = artifactWritten({ input, output: content, fileChange }, at)
      if (!data) return []
      this.#artifacts.add(data.filename)
      const agentName = this.#routedTo
      return [{ type: 'artifact_written', data: { ...data, ...(agentName && { agentName }) } }]
    }
    if (toolName !== 'Bash') return []
    const drawn = screenCommands(textOf(input, 'command'), this.#screenPort)
    return drawn.map((data) => ({ type: 'screen_command', data }))
  }

  #turnEnded(turn: TurnEnded): readonly Derivation[] {
    const answers = turn.prompts.filter((id) => this.#asked.has(id))
    const outcomes = answers.flatMap((id) => this.#outcomeOf(this.#asked.get(id)?.ask, turn))
    for (const id of answers) this.#asked.delete(id)
    this.#answering = this.#answering.filter((id) => !answers.includes(id))
    this.#said = ''
    const spent = this.#usesModel ? turn : { ...turn, ...NOTHING_SPENT }
    return [...outcomes, { type: 'claude_result', data: resultOf(spent, answers) }]
  }

  #outcomeOf(ask: Ask | undefined, { outcome }: TurnEnded): readonly Derivation[] {
    if (ask?.kind === 'job_help') return this.#helped()
    if (outcome === 'success' && ask?.kind === 'offer') {
      const { agentName, jobs } = ask
      const data = { agentName, jobNames: jobs.map(({ name }) => name) }
      return [{ type: 'agent_work_offered', data }]
    }
    return []
  }

  /** An answer that is no draft is said after all. */
  #helped(): readonly Derivation[] {
    const suggestions = firstObject(this.#said)
    const text = this.#said.trim()
    if (!suggestions) return text === '' ? [] : textEvents(HELP_MESSAGE, [{ type: 'text', text }])
    // Parsed from JSON: no member is undefined.
    const data = { suggestions: suggestions as Payload<'job_help'>['suggestions'] }
    return [{ type: 'job_help', data }]
  }
}

function speakerOf(parent: string | null): 'lead' | 'sub-agent' {
  return parent === null ? 'lead' : 'sub-agent'
}

function within(parent: string | null): { readonly parentToolUseId?: string } {
  return parent === null ? {} : { parentToolUseId: parent }
}

function textEvents(
  messageId: string,
  blocks: readonly Block[],
  parent: string | null = null,
): readonly Derivation[] {
  return partsOf(blocks).map((content) => ({
    type: 'claude_text',
    data: { messageId, content: [...content], ...within(parent) },
  }))
}

function systemOf({ sessionId, tools, model }: Extract<SessionEvent, { type: 'session' }>) {
  return { claudeSessionId: sessionId, availableTools: [...tools], model }
}

function failureOf({ needsSignIn, text }: Extract<SessionEvent, { type: 'provider_failed' }>) {
  const message = startOf(text, TOOL_OUTPUT_CHARS_MAX)
  if (!needsSignIn) return { message, code: 'unknown' as const }
  return { message: `${message}. ${HOW_TO_SIGN_IN}`, code: 'auth_failed' as const }
}

function resultOf(
  { outcome, steps, costUsd, usage, usageByModel, text }: TurnEnded,
  answers: readonly string[],
): Payload<'claude_result'> {
  const used = usageByModel.length > 0 ? usageByModel : [usage]
  const sum = (member: keyof typeof usage) => used.reduce((all, each) => all + each[member], 0)
  return {
    subtype: outcome === 'success' ? 'success' : 'error',
    numTurns: steps,
    costUsd,
    usage: {
      inputTokens: sum('inputTokens'),
      outputTokens: sum('outputTokens'),
      cacheReadTokens: sum('cacheReadTokens'),
      cacheCreationTokens: sum('cacheCreationTokens'),
    },
    resultText: withoutMarkers(startOf(text, TEXT_CHARS_MAX)),
    answers: [...answers],
  }
}
