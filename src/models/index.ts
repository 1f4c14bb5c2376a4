/**
 * Models: any AI SDK provider package, or the scripted model that needs no key, read as one stream that
 * ends in exactly one finish or one typed error. It must never know what an agent is, which events a
 * domain has, or write to a log.
 *
 * @module
 */
export { LinkedSignal, isTimeUp, whileOpen } from './linked-signal.ts'
export { MODEL_SILENCE_MAX_MS, OUTPUT_TOKENS_MAX, callModel } from './model-call.ts'
export type { ModelCall } from './model-call.ts'
export { MODEL_RETRY_AFTER_MAX_MS, ModelError } from './model-error.ts'
export type { ModelErrorCode } from './model-error.ts'
export { promptOf } from './model-message.ts'
export type { ModelFile, ModelMessage, ModelReasoning, ModelToolCall } from './model-message.ts'
export { MODEL_TEXT_MAX } from './model-part.ts'
export type { LanguageModel, ModelPart } from './model-part.ts'
export { scriptedModel } from './scripted-model.ts'
export type { ScriptedAnswer, ScriptedCall, ScriptedReply } from './scripted-model.ts'
