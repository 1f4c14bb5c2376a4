/**
 * Agents that are programs: Claude Code, agents of the Agent Client Protocol, and AG-UI agents on other servers.
 *
 * @module
 */
export { acpAgent, claudeCode, remoteAgent, scriptedClaude } from '../programs/index.ts'
export type {
  AcpAgentParts,
  ClaudeCodeParts,
  PermissionRules,
  ProcessProgram,
  ProgramErrorCode,
  RemoteAgentParts,
  Script,
  ScriptedClaudeParts,
  ScriptStep,
} from '../programs/index.ts'
