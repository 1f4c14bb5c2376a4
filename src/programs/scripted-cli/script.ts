/** A step of a turn of the scripted CLI. */
export type ScriptStep =
  | { readonly text: string }
  | { readonly thinking: string }
  | { readonly waitMs: number }
  | { readonly tool: ScriptTool }
  /** A sub-agent: its call, its own steps, and its report. */
  | { readonly agent: ScriptAgent }
  /** The provider of the model fails: the turn ends with an error. */
  | { readonly apiError: { readonly status: number; readonly message: string } }
  | { readonly compact: { readonly preTokens: number } }
  /** A literal line, without a newline where `isHalf` is set. */
  | { readonly line: string; readonly isHalf?: boolean }
  /** A line of so many bytes of text. */
  | { readonly longLine: number }
  /** So many lines of one message, of about 1,000 bytes each. */
  | { readonly flood: number }
  /** Bytes that are no UTF-8, within a text. */
  | { readonly invalidUtf8: true }
  | { readonly exit: number }
  /** Nothing comes any more, and SIGTERM is ignored where `ignoresTerm` is set. */
  | { readonly hang: true; readonly ignoresTerm?: boolean }

export interface ScriptTool {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly result: string
  readonly isError?: boolean
  /** It asks for permission first. */
  readonly asks?: boolean
  /** Its result comes before the message is complete: this text follows in the same message. */
  readonly alsoSays?: string
}

export interface ScriptAgent {
  readonly title: string
  readonly steps: readonly ScriptStep[]
  readonly report: string
  /** It works on after its call has its result, and its end begins a turn of these steps. */
  readonly background?: boolean
  readonly afterwards?: readonly ScriptStep[]
}

/** Gives the steps of the turn that answers these prompts. A script's module exports it as `script`. */
export type Script = (prompts: readonly string[]) => readonly ScriptStep[]

const PLAY = '{"play":'

/** Plays the steps that a prompt holds as `{"play": [...]}`; answers any other prompt in one sentence. */
export const echoScript: Script = (prompts) =>
  prompts.flatMap((prompt) => {
    const at = prompt.indexOf(PLAY)
    if (at < 0) return [{ text: `You said: ${prompt.trim().slice(0, 2_000)}` }]
    return (JSON.parse(prompt.slice(at)) as { play: readonly ScriptStep[] }).play
  })
