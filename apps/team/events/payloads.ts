import { z } from 'zod'
import { budgetGiven } from './budget-payloads.ts'
import { LEAD_NAME, LEAD_POSITION } from './grid.ts'

/** The longest message that a person sends to the team, in characters. */
export const MESSAGE_CHARS_MAX = 100_000
const NAME_CHARS_MAX = 200
const SOUL_CHARS_MAX = 20_000
const ITEMS_MAX = 100

const name = z.string().trim().min(1).max(NAME_CHARS_MAX)
const shortText = z.string().max(NAME_CHARS_MAX)
const count = z.number().int().nonnegative()
const position = z.number().int().min(0).max(8)
const gender = z.enum(['man', 'woman'])
const faceVariant = z.object({ eyes: shortText, mouth: shortText })
const anyObject = z.record(z.string(), z.json())
const sessionId = shortText.nullable().optional()

const textBlock = z.object({ type: z.literal('text'), text: z.string() })
const block = z.discriminatedUnion('type', [
  textBlock,
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: anyObject }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
])

/** An agent's appearance; invalid members are left out. */
const looks = {
  color: shortText.optional().catch(undefined),
  colorName: shortText.optional().catch(undefined),
  gender: gender.optional().catch(undefined),
  faceVariant: faceVariant.optional().catch(undefined),
}

const agent = z.object({
  name: name.refine((given) => given !== LEAD_NAME, 'this name is the lead’s'),
  gridPosition: position.refine((given) => given !== LEAD_POSITION, 'position 4 is the lead’s'),
  ...looks,
  individuationArtifact: z.string().max(SOUL_CHARS_MAX).optional().catch(undefined),
  createdAt: z.iso.datetime().optional().catch(undefined),
})

const agentStatus = z.object({
  name,
  status: z.enum(['alive', 'idle', 'shutdown']),
  gridPosition: position,
  ...looks,
})

export const offeredJob = z.object({ name, description: z.string().max(SOUL_CHARS_MAX) })

export const wakePayload = z.object({
  name,
  color: shortText,
  colorName: shortText,
  gridPosition: position,
  hasSoul: z.boolean(),
  hasTranscript: z.boolean(),
})

const jobText = z.string().max(SOUL_CHARS_MAX)
const jobItems = z.array(shortText).max(ITEMS_MAX)

/** A job as a person saves it. */
export const jobDraft = z.strictObject({
  id: z.uuid().optional(),
  name,
  description: jobText.default(''),
  contextDocs: jobText.default(''),
  skills: jobText.default(''),
  files: jobItems.default([]),
  aboutYou: jobText.default(''),
  /** Fills the job with an agent. */
  assignedAgent: name.nullable().default(null),
})

/** A saved job: kept beside the 21 types, and no event of the stream. */
export const jobSaved = jobDraft.extend({ id: z.uuid() })

/** An agent does not take a job that it was offered. */
export const offerDeclined = z.strictObject({ jobId: z.uuid(), agentName: name })

/** A person gives up a message that was set aside. */
export const messageDropped = z.strictObject({ message: z.uuid() })

/** A message's request to the lead besides an answer. */
const ask = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('offer'), agentName: name, jobs: z.array(offeredJob).max(ITEMS_MAX) }),
  z.object({ kind: z.literal('job_help'), formState: anyObject }),
  z.object({ kind: z.literal('ledger_reset') }),
  z.object({ kind: z.literal('greeting'), prompt: z.string().max(MESSAGE_CHARS_MAX) }),
])

export const END_REASONS = [
  'user_ended',
  'inactivity_timeout',
  'process_crash',
  'server_shutdown',
] as const

export const ERROR_CODES = [
  'auth_failed',
  'session_conflict',
  'setup_required',
  'stdin_write_failed',
  'process_exited',
  'turn_timeout',
  'inactivity_timeout',
  'unknown',
] as const

const usage = z.object({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheCreationTokens: count,
})

/** Names the message that was set aside and is sent again by this one. */
const repeats = { again: z.uuid().optional() }

/** The call of a sub-agent that a message or result belongs to; the lead's have none. */
const within = { parentToolUseId: z.string().optional() }

/** The payload of each stored type. A heartbeat is never stored. */
export const PAYLOADS = {
  session_start: z.object({ pid: count, model: z.string(), demoMode: z.boolean(), sessionId }),
  session_end: z.object({
    exitCode: z.number().int().nullable(),
    reason: z.enum(END_REASONS),
    sessionId,
  }),
  auth_state: z.object({
    authMethod: z.enum(['oauth', 'setup_token', 'none']),
    needsSetup: z.boolean(),
    expiresInMinutes: z.number().nullable(),
    sessionId,
  }),
  claude_system: z.object({
    claudeSessionId: z.string(),
    availableTools: z.array(z.string()),
    model: z.string().optional(),
    sessionId,
  }),
  claude_text: z.object({ messageId: z.string(), content: z.array(block), ...within, sessionId }),
  claude_tool_result: z.object({
    toolUseId: z.string(),
    toolName: z.string(),
    content: z.string(),
    isError: z.boolean(),
    ...within,
    sessionId,
  }),
  claude_result: z.object({
    subtype: z.enum(['success', 'error', 'timeout']),
    numTurns: count,
    costUsd: z.number().nullable(),
    usage,
    resultText: z.string(),
    /** Ids of the records that this turn answers. */
    answers: z.array(z.uuid()).optional(),
    sessionId,
  }),
  claude_compact: z.object({ sessionId }),
  user_message: z.object({
    text: z.string().min(1).max(MESSAGE_CHARS_MAX),
    speakerName: name,
    targetAgent: name.nullable(),
    targetGridPosition: position.optional(),
    ask: ask.optional(),
    ...repeats,
    sessionId,
  }),
  user_summon: z.object({ ...repeats, sessionId }),
  user_wake: z.object({
    agentPayloads: z.array(wakePayload).min(1).max(9),
    ...repeats,
    sessionId,
  }),
  user_session_start: z.object({
    demoMode: z.boolean(),
    hasPreviousTranscript: z.boolean(),
    hasArtifactCatalog: z.boolean(),
    /** What the session may spend; what is left out comes from the settings of the server. */
    budget: budgetGiven.optional(),
    sessionId,
  }),
  user_session_end: z.object({ sessionId }),
  agent_registered: z.object({ agent, sessionId }),
  agent_status: z.object({ agents: z.array(agentStatus).max(9), sessionId }),
  agent_work_offered: z.object({
    agentName: name,
    jobNames: z.array(name).max(ITEMS_MAX),
    sessionId,
  }),
  agent_message: z.object({ agentName: name, content: z.array(textBlock), sessionId }),
  artifact_written: z.object({
    filename: z.string(),
    path: z.string(),
    isNew: z.boolean(),
    sizeBytes: count,
    meta: z
      .object({
        description: z.string().optional(),
        category: z.string().optional(),
        chapter: z.string().optional(),
      })
      .nullable(),
    /** The agent that its turn was sent to; absent for the lead. */
    agentName: name.optional(),
    sessionId,
  }),
  screen_command: z.object({ command: z.string(), expression: z.string().optional(), sessionId }),
  job_help: z.object({ suggestions: anyObject, sessionId }),
  server_error: z.object({
    message: z.string(),
    code: z.enum(ERROR_CODES),
    /** Ids of the records that are not answered because of it. */
    answers: z.array(z.uuid()).optional(),
    /** The message that the program worked on when it ended; it gets it again. */
    diedOn: z.uuid().optional(),
    /** The message of `answers` can be sent again, or dropped. */
    isSetAside: z.boolean().optional(),
    /** No program is started again by itself: the next start of a person, or of the server, does it. */
    gaveUp: z.boolean().optional(),
    sessionId,
  }),
} as const

export type TeamEventType = keyof typeof PAYLOADS
type Read<Type extends TeamEventType> = z.output<(typeof PAYLOADS)[Type]>
/** The data of a stored event: a registration has all its members. */
export type Payload<Type extends TeamEventType> = Type extends 'agent_registered'
  ? { readonly agent: Registration; readonly sessionId?: string | null | undefined }
  : Read<Type>
export type GivenRegistration = Read<'agent_registered'>['agent']

export interface Registration {
  readonly name: string
  readonly gridPosition: number
  readonly color: string
  readonly colorName: string
  readonly gender: 'man' | 'woman'
  readonly faceVariant: { readonly eyes: string; readonly mouth: string }
  readonly individuationArtifact: string
  readonly createdAt: string
}
export type AgentStatus = Payload<'agent_status'>['agents'][number]
export type WakePayload = z.output<typeof wakePayload>
export type SavedJob = z.output<typeof jobSaved>
export type DeclinedOffer = z.output<typeof offerDeclined>
export type Ask = NonNullable<Payload<'user_message'>['ask']>
export type Block = Payload<'claude_text'>['content'][number]

/** A stored event as everybody reads it: envelope and payload in one flat object. */
export type TeamEvent = {
  readonly [Type in TeamEventType]: Happened<Type> & Omit<Payload<Type>, 'sessionId'>
}[TeamEventType]

interface Happened<Type> {
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly ts: number
  readonly sessionId: string | null
  readonly type: Type
  /** Of a message to the program: its record's id, by which `answers` name it. */
  readonly uuid?: string
}
