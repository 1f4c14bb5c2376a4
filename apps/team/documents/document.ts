import type { Block, SavedJob, TeamAgent } from '../events/index.ts'

interface Identified {
  readonly _id: string
  readonly createdAt: string
}

interface InTranscript extends Identified {
  readonly type: 'message'
  readonly category: 'transcript'
  readonly serverSessionId: string | null
  readonly text: string
  readonly blocks: readonly Block[]
}

export interface UserDocument extends InTranscript {
  readonly role: 'user'
  readonly speakerType: 'human'
  readonly speakerName: string
  readonly targetAgent: string | null
  readonly targetGridPosition?: number
}

export interface AssistantDocument extends InTranscript {
  readonly role: 'assistant'
  readonly speakerType: 'agent'
  readonly speakerName: string
  readonly agentName?: string
  /** Whether its turn has a result. An answer that was cut off begins again, unless it is named as lost. */
  readonly turn: 'open' | 'ended' | 'cut_off'
}

export interface AgentDocument extends Identified, TeamAgent {
  readonly type: 'agent-identity'
  readonly category: 'identity'
  readonly jobId?: string | undefined
}

export interface ArtifactDocument extends Identified {
  readonly type: 'artifact'
  readonly category: string
  readonly serverSessionId: string | null
  readonly filename: string
  readonly sizeBytes: number
  readonly description: string
  readonly chapter: string
  /** How it was written, the newest last; an old document has none. */
  readonly writes?: readonly ArtifactWrite[]
}

export interface ArtifactWrite {
  /** Of its record. */
  readonly id: string
  readonly createdAt: string
  /** Null for the lead. */
  readonly agentName: string | null
  readonly sizeBytes: number
  readonly isNew: boolean
}

export interface MarkerDocument extends Identified {
  readonly type: 'marker'
  readonly category: 'operational'
  readonly serverSessionId: string | null
  readonly event: 'session_start' | 'session_end'
  readonly reason?: string
}

export interface JobDocument extends Identified, Omit<SavedJob, 'id'> {
  readonly type: 'job'
  readonly category: 'operational'
  readonly jobId: string
  readonly status: 'open' | 'filled'
  /** The agents that were offered it, and have neither taken nor declined it. */
  readonly offeredTo?: readonly string[]
  readonly updatedAt: string
}

/** A lasting document made from the team's events, for its pages and exports. */
export type Document =
  | UserDocument
  | AssistantDocument
  | AgentDocument
  | ArtifactDocument
  | MarkerDocument
  | JobDocument

export type Message = UserDocument | AssistantDocument

type HeadOf<Each extends Message> = Omit<Each, 'text' | 'blocks'> & {
  /** Whether its text is more than blanks. */
  readonly hasText: boolean
}

/** A message without its text and blocks. */
export type MessageHead = HeadOf<UserDocument> | HeadOf<AssistantDocument>

/** A document as it is held in memory. */
export type DocumentHead = Exclude<Document, Message> | MessageHead

export function headOf(document: Document): DocumentHead {
  return document.type === 'message' ? messageHead(document) : document
}

function messageHead({ text, blocks: _blocks, ...head }: Message): MessageHead {
  return { ...head, hasText: text.trim() !== '' }
}
