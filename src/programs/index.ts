/**
 * Agents that are programs: an AG-UI agent on another server, or a process of its own, takes part in a thread
 * like any other agent.
 * Every program comes in by one door, which verifies its stream and puts it on record.
 *
 * Invariant: whatever a program sends, its records are AG-UI in order, under ids of this thread, and change no
 * state but by the gate. It must never ask a program again that may have begun.
 *
 * @module
 */
export {
  PROGRAM_IDS_MAX,
  PROGRAM_INACTIVITY_MAX_MS,
  PROGRAM_INTERRUPT_MAX_MS,
  PROGRAM_LINE_BYTES_MAX,
  PROGRAM_MESSAGE_CHARS_MAX,
  PROGRAM_OPEN_MAX,
  PROGRAM_PROMPT_CHARS_MAX,
  PROGRAM_QUIET_MAX_MS,
  PROGRAM_QUIET_MS,
  PROGRAM_REPEATS_MAX,
  PROGRAM_RESTARTS_MAX,
  PROGRAM_SESSIONS_MAX,
  PROGRAM_START_MAX_MS,
  PROGRAM_STDERR_CHARS_MAX,
  PROGRAM_STOP_MAX_MS,
  PROGRAM_TURN_SILENCE_MAX_MS,
  PROGRAM_WAITING_CHARS_MAX,
  PROGRAM_WAITING_EVENTS_MAX,
  REMOTE_BEHIND_MAX,
  REMOTE_CLOSE_MAX_MS,
  REMOTE_DELTA_CHARS_MAX,
  REMOTE_DEPTH_MAX,
  REMOTE_EVENTS_MAX,
  REMOTE_FRAME_BYTES_MAX,
  REMOTE_ID_CHARS_MAX,
  REMOTE_MESSAGE_CHARS_MAX,
  REMOTE_PROPOSALS_MAX,
  REMOTE_QUESTIONS_MAX,
  REMOTE_SILENCE_MAX_MS,
  REMOTE_STREAM_BYTES_MAX,
  REMOTE_VALUE_CHARS_MAX,
} from './limits.ts'
export { claudeCode } from './claude/claude-code.ts'
export type { ClaudeCodeParts } from './claude/claude-code.ts'
export { acpAgent } from './acp/acp-agent.ts'
export type { AcpAgentParts } from './acp/acp-agent.ts'
export type { ProcessProgram } from './process-program.ts'
export {
  claudeEnvironment,
  claudeVersion,
  endOrphanedClaude,
  openClaude,
} from './claude/open-claude.ts'
export type {
  ClaudeCommand,
  ClaudeConversation,
  ClaudeOptions,
  ClaudeSessionParts,
} from './claude/open-claude.ts'
export { ClaudeMemory } from './claude/memory.ts'
export { childEnvironment } from './process/environment.ts'
export type { Environment } from './process/environment.ts'
export type { ExitReason, ProgramExit } from './process/child.ts'
export { scriptedClaude } from './scripted-claude.ts'
export type { ScriptedClaudeParts } from './scripted-claude.ts'
export type { Script, ScriptAgent, ScriptStep, ScriptTool } from './scripted-cli/script.ts'
export { ProgramSession, exitError } from './session.ts'
export type { Dialect, SessionLimits, SessionParts } from './session.ts'
export type {
  MessageBlock,
  MessageCompleted,
  MessageDelta,
  MessagePart,
  ModelUsage,
  PermissionAnswer,
  PermissionAsked,
  Prompt,
  ProviderFailed,
  SessionEvent,
  SessionFault,
  SessionOpened,
  Speaker,
  Task,
  TaskEnded,
  ToolResult,
  TurnEnded,
} from './session-event.ts'
export { programOf } from './ingest.ts'
export type { EventSource, IngestOptions } from './ingest.ts'
export type { ProgramFault } from './mend.ts'
export { ProgramError } from './program-error.ts'
export type { ProgramErrorCode, ProgramErrorOptions } from './program-error.ts'
export { remoteAgent } from './remote-agent.ts'
export type { RemoteAgentParts } from './remote-agent.ts'
