/**
 * Agents and the models behind them: what an agent is made of, and any AI SDK provider package, or the
 * scripted model that needs no key, read as one stream that ends in exactly one finish or one typed
 * error. It must never know which events a domain has, or write to a log.
 *
 * @module
 */
export { AGENT_LIMITS, TOOL_NAME, defineAgent, snakeCase } from './agent.ts'
export type { Agent, AgentLimits, AgentParts, Agents, InstructionContext } from './agent.ts'
export { AgentError } from './agent-error.ts'
export type { AgentErrorCode } from './agent-error.ts'
export { LinkedSignal, isTimeUp, whileOpen } from './linked-signal.ts'
export { MODEL_CALL_MAX_MS, OUTPUT_TOKENS_MAX, callModel } from './model-call.ts'
export type { LanguageModel, ModelCall } from './model-call.ts'
export { MODEL_RETRY_AFTER_MAX_MS, ModelError } from './model-error.ts'
export type { ModelErrorCode } from './model-error.ts'
export type { ModelMessage, ModelReasoning, ModelToolCall } from './model-message.ts'
export { MODEL_TEXT_MAX, MODEL_TOOL_CALLS_MAX } from './model-part.ts'
export type { ModelPart } from './model-part.ts'
export { scriptedModel } from './scripted-model.ts'
export type {
  ScriptedAnswer,
  ScriptedCall,
  ScriptedModelOptions,
  ScriptedReply,
} from './scripted-model.ts'
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
