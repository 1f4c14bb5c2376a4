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
export { REMOTE_FRAME_BYTES_MAX } from './limits.ts'
export { claudeCode } from './claude/claude-code.ts'
export type { ClaudeCodeParts } from './claude/claude-code.ts'
export { acpAgent } from './acp/acp-agent.ts'
export type { AcpAgentParts } from './acp/acp-agent.ts'
export type { ProcessProgram } from './session/process-program.ts'
export {
  claudeEnvironment,
  claudeVersion,
  endOrphanedClaude,
  openClaude,
} from './claude/open-claude.ts'
export type { ClaudeCommand, ClaudeSessionParts } from './claude/open-claude.ts'
export { claudeLogin } from './claude/login.ts'
export type { ClaudeLogin } from './claude/login.ts'
export { ClaudeMemory } from './claude/memory.ts'
export { exactRule } from './permissions/exact-rule.ts'
export type { ExactRule } from './permissions/exact-rule.ts'
export type { PermissionRules } from './permissions/permission-rules.ts'
export { childEnvironment } from './process/environment.ts'

export type { ProgramExit } from './process/child.ts'
export { scriptedClaude } from './scripted-claude.ts'
export type { ScriptedClaudeParts } from './scripted-claude.ts'
export type { Script, ScriptStep } from './scripted-cli/script.ts'
export { ProgramSession } from './session/session.ts'
export type { SessionLimits } from './session/session.ts'
export type {
  MessageBlock,
  PermissionAnswer,
  PermissionAsked,
  PermissionDecided,
  SessionEvent,
  ToolResult,
  TurnEnded,
} from './session/session-event.ts'
export { programOf } from './ingest.ts'

export type { ProgramFault } from './mend.ts'

export type { ProgramErrorCode } from './program-error.ts'
export { agentState } from './agent-state.ts'
export type { Forwarded, StateEvents } from './forward.ts'
export { isSecretHeader } from './request-headers.ts'
export { remoteAgent } from './remote-agent.ts'
export type { RemoteAgentParts } from './remote-agent.ts'
