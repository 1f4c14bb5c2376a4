import type { ModelMessage, ScriptedCall } from 'throughline'

/** The result of a tool, for a script. */
export interface SceneResult {
  readonly text: string
  readonly failed: boolean
}

/** The state of a conversation: the last message, and the results of tools since. */
export interface Scene {
  readonly heard: string
  /** The newest result of a tool since then. */
  readonly result: (tool: string) => SceneResult | undefined
  readonly results: (tool: string) => readonly SceneResult[]
  /** Everything before. */
  readonly earlier: readonly ModelMessage[]
}

export function sceneOf({ messages }: Pick<ScriptedCall, 'messages'>): Scene {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const since = messages.slice(at + 1)
  const results = (tool: string): readonly SceneResult[] =>
    since.flatMap((message) =>
      message.role === 'tool' && message.toolName === tool
        ? [{ text: message.text, failed: message.failed }]
        : [],
    )
  return {
    heard: messages[at]?.text ?? '',
    result: (tool) => results(tool).at(-1),
    results,
    earlier: messages.slice(0, Math.max(at, 0)),
  }
}

/** The last number of an order in a text. */
export function orderIn(text: string): string | undefined {
  return [...text.matchAll(/(?<!\d)\d{4}(?!\d)/g)].at(-1)?.[0]
}

/** A text among the members of a tool's result, or nothing when it has none of that name. */
export function memberIn(result: string, name: string): string {
  try {
    const value: unknown = JSON.parse(result)
    const member: unknown = Object.entries(value ?? {}).find(([key]) => key === name)?.[1]
    return typeof member === 'string' ? member : ''
  } catch {
    return ''
  }
}
