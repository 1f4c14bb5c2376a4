import type { App } from '../application/index.ts'
import { thrownMessage } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { scriptedModel } from '../models/index.ts'
import { forkThread } from './fork.ts'
import { ShownData } from './shown-data.ts'
import type { StoredThreads } from './stored-threads.ts'
import { modelProposalsIn, promptIn, tokensIn, without } from './turns-on-record.ts'
import type { ModelProposal, TurnOnRecord } from './turns-on-record.ts'

/** How often one turn may be asked again. */
export const ASK_TIMES_MAX = 100

export interface AskOptions {
  readonly stored: Pick<StoredThreads, 'read' | 'find'>
  readonly app: App
  /** The application that took the turns: its first prompt has to be the recorded one. By default `app` itself. */
  readonly base?: App | undefined
  readonly times: number
}

/** One turn, asked again. Models differ each time, so that counts say more than one answer. */
export interface AskedTurn {
  readonly thread: string
  readonly seq: number
  readonly agent: string
  /** Only a turn whose recorded prompt is reproduced counts: of any other more than the answer may differ. */
  readonly status: 'asked' | 'other_prompt'
  readonly times: number
  /** Answers with the proposals that are on record. */
  readonly equal: number
  readonly faults: readonly string[]
  /** Proposals that were not made again, and new ones: of all answers. */
  readonly lost: readonly ModelProposal[]
  readonly gained: readonly ModelProposal[]
  readonly tokens: number
}

/** Takes a turn again from where it began, in forks. Costs what its model calls cost. */
export async function askTurn(turn: TurnOnRecord, options: AskOptions): Promise<AskedTurn> {
  const { base, times } = options
  const wanted = promptIn(turn.records)
  const was = modelProposalsIn(options.app, turn.records)
  const data = new ShownData(options.app.domain)
  const shown = (each: ModelProposal): ModelProposal => ({
    type: each.type,
    data: data.data(each.type, each.data),
  })
  const faults: string[] = []
  const lost: ModelProposal[] = []
  const gained: ModelProposal[] = []
  let [equal, tokens] = [0, 0]
  const { thread, seq, agent } = turn
  const asked = (status: AskedTurn['status'], count: number): AskedTurn => {
    return { thread, seq, agent, status, times: count, equal, faults, lost, gained, tokens }
  }
  if (base && (await promptOf(turn, { ...options, app: base })) !== wanted) {
    return asked('other_prompt', 0)
  }
  for (let time = 1; time <= times; time++) {
    const { records, fault } = await takeTurn(turn, options)
    tokens += tokensIn(records)
    const isSame = wanted !== undefined && promptIn(records) === wanted
    if (!base && !isSame) return asked('other_prompt', 0)
    if (fault !== undefined) faults.push(fault)
    const now = modelProposalsIn(options.app, records)
    const [missing, added] = [without(was, now), without(now, was)]
    lost.push(...missing.map(shown))
    gained.push(...added.map(shown))
    if (missing.length + added.length === 0 && fault === undefined) equal++
  }
  return asked('asked', times)
}

/** The hash of the first prompt that an application gives, without asking its model. */
async function promptOf(turn: TurnOnRecord, options: AskOptions): Promise<string | undefined> {
  const { app } = options
  const model = scriptedModel(() => 'Noted.')
  const agents = app.agents.map((agent) => ({ ...agent, model }))
  const { records } = await takeTurn(turn, { ...options, app: { ...app, agents } })
  return promptIn(records)
}

interface Taken {
  readonly records: readonly LogRecord[]
  readonly fault?: string
}

async function takeTurn(
  { thread, seq, agent, input, events, actor, surface }: TurnOnRecord,
  { stored, app }: AskOptions,
): Promise<Taken> {
  const fork = await forkThread({ origin: stored, thread, at: seq - 1, apps: [app] })
  const taken = async (): Promise<readonly LogRecord[]> => {
    const records: LogRecord[] = []
    for await (const batch of fork.log.read(thread, { after: seq - 1 })) records.push(...batch)
    return records
  }
  try {
    const request = {
      agent,
      ...(input !== '' && { input }),
      ...(events.length > 0 && { events }),
      ...(actor !== undefined && { actor }),
      ...(surface !== undefined && { surface }),
    }
    const { error } = await fork.tl.turn(thread, request).result
    return { records: await taken(), ...(error && { fault: error.message }) }
  } catch (error) {
    return { records: await taken(), fault: thrownMessage(error) }
  } finally {
    await fork.close()
  }
}
