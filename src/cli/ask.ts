import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Progress } from './progress.ts'
import { REPLAY_EXIT, placesOf, tellingFaults, wholeNumber } from './replay.ts'
import type { Print } from './replay.ts'

export interface AskArguments {
  readonly against: string
  readonly base?: string | undefined
  readonly tokensMax: string
  readonly times?: string | undefined
  readonly yes?: boolean | undefined
  readonly json?: boolean | undefined
  readonly anchorKeys: readonly string[]
  readonly named: readonly string[]
}

/** Takes turns of stored threads again, prints what their models proposed, and returns the exit code. */
export async function ask(given: AskArguments, print: Print): Promise<number> {
  return tellingFaults({ print, json: given.json }, (progress) =>
    askAll(given, { print, progress }),
  )
}

async function askAll(
  given: AskArguments,
  { print, progress }: { readonly print: Print; readonly progress: Progress },
): Promise<number> {
  const { ASK_TIMES_MAX, askStored } = await import('../replay/index.ts')
  const { json = false, base, anchorKeys, yes = false } = given
  const tokensMax = wholeNumber('tokens-max', given.tokensMax, Number.MAX_SAFE_INTEGER)
  const times = wholeNumber('times', given.times ?? '1', ASK_TIMES_MAX)
  const summary = await askStored({
    ...(await placesOf(given)),
    anchorKeys,
    against: resolve(given.against),
    base: base === undefined ? undefined : resolve(base),
    times,
    tokensMax,
    async mayAsk({ threads, turns, tokens }) {
      const words =
        `${turns} turns in ${threads} threads, each asked ${times} times: about ${tokens} tokens by the usage ` +
        `on record, at most about ${tokensMax}`
      process.stderr.write(`${words}\n`)
      return yes || (await isAgreed())
    },
    onTurn(turn, done, total) {
      if (json) print(JSON.stringify(turn))
      progress.show(done / total, `${done} of ${total} turns`)
    },
  })
  progress.end()
  if (!summary) {
    print('Nothing was asked: answer with y, or give --yes')
    return REPLAY_EXIT.cannot_tell
  }
  const { turns, answers, equal, otherPrompt, tokens, verdict } = summary
  const last = { done: true, verdict, turns, answers, equal, otherPrompt, tokens }
  for (const line of json ? [JSON.stringify(last)] : summary.lines()) print(line)
  return REPLAY_EXIT[verdict]
}

async function isAgreed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await lines.question('Ask? [y/N] ')).trim())
  } finally {
    lines.close()
  }
}
