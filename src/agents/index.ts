/**
 * What an agent is made of: its model, instructions, tools and the agents it may call. It must never
 * know which events a domain has, or write to a log.
 *
 * @module
 */
export { AGENT_LIMITS, TOOL_NAME, defineAgent, snakeCase } from './agent.ts'
export type { Agent, AgentLimits, AgentParts, Agents, InstructionContext } from './agent.ts'
export { AgentError } from './agent-error.ts'
export type { AgentErrorCode } from './agent-error.ts'
export {
  Pause,
  TOOL_CALL_MAX_MS,
  TOOL_OUTPUTS_MAX,
  TOOL_OUTPUT_CHARS_MAX,
  TOOL_RESULT_CHARS_MAX,
  jsonSchemaOf,
  tool,
} from './tool.ts'
export type { Tool, ToolContext, ToolSchema } from './tool.ts'
