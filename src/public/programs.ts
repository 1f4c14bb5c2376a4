/**
 * Agents that are programs: Claude Code, agents of the Agent Client Protocol, and AG-UI agents on other servers.
 *
 * @module
 */
export { acpAgent, agentState, claudeCode, remoteAgent, scriptedClaude } from '../programs/index.ts'
export type {
  AcpAgentParts,
  ClaudeCodeParts,
  Forwarded,
  PermissionRules,
  ProcessProgram,
  ProgramErrorCode,
  RemoteAgentParts,
  Script,
  ScriptedClaudeParts,
  ScriptStep,
  StateEvents,
} from '../programs/index.ts'
