import { membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { AttributeValue } from './span-draft.ts'

/** The names that the conventions of OpenTelemetry have for providers whose own name is another. */
const PROVIDERS: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  bedrock: 'aws.bedrock',
  azure: 'azure.ai.openai',
}

/** The attributes of a call of a model, as its `model_output` reports it. */
export function modelAttributes(output: Json): Readonly<Record<string, AttributeValue>> {
  const { usage = null, cost } = membersOf(output)
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteInputTokens } = membersOf(usage)
  const model = textOf(usage, 'model')
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerName(textOf(usage, 'provider')),
    ...(model !== '' && { 'gen_ai.request.model': model }),
    ...count('gen_ai.usage.input_tokens', inputTokens),
    ...count('gen_ai.usage.output_tokens', outputTokens),
    ...count('gen_ai.usage.cache_read.input_tokens', cachedInputTokens),
    ...count('gen_ai.usage.cache_creation.input_tokens', cacheWriteInputTokens),
    ...count('throughline.cost', cost),
    'gen_ai.response.finish_reasons': [textOf(output, 'finishReason') || 'error'],
  }
}

/** `anthropic.messages` of the AI SDK is `anthropic`. */
function providerName(provider: string): string {
  const [first = ''] = provider.split('.')
  return (Object.hasOwn(PROVIDERS, first) ? PROVIDERS[first] : first) || 'unknown'
}

function count(name: string, value: Json | undefined): Readonly<Record<string, number>> {
  return typeof value === 'number' ? { [name]: value } : {}
}
