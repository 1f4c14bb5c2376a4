/**
 * Models behind one port: any AI SDK provider package, or the scripted model that needs no key, read
 * as a stream of text that ends in exactly one finish or one typed error. It must never know which
 * events a domain has, or write to a log.
 *
 * @module
 */
export { MODEL_CALL_MAX_MS, MODEL_TEXT_MAX, OUTPUT_TOKENS_MAX, callModel } from './model-call.ts'
export type { LanguageModel, ModelCall, ModelMessage, ModelPart } from './model-call.ts'
export { ModelError } from './model-error.ts'
export type { ModelErrorCode } from './model-error.ts'
export { scriptedModel } from './scripted-model.ts'
export type { ScriptedCall, ScriptedModelOptions, ScriptedReply } from './scripted-model.ts'
