import { expect, onTestFinished, test } from 'vitest'
import { defineAgent, defineApp, defineDomain, open, scriptedModel } from 'throughline'
import type { ScriptedReply, Throughline } from 'throughline'
import { routes } from 'throughline/server'
import type { Routes } from 'throughline/server'
import { z } from 'zod'
import { chance, newSeed } from '../chance.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'

const ANSWERS = timesInTier({ quick: 300, full: 1_000 })
const ROLES = ['holder', 'handler', 'chief', 'reader'] as const
const ACTORS = ['ann', 'bob', 'harry', 'hazel'] as const
/** The roles that each tool names. */
const APPROVERS: Readonly<Record<string, readonly string[]>> = {
  pay_by_handler: ['handler'],
  pay_by_chief: ['chief'],
  pay_by_both: ['handler', 'chief'],
}

/** The tool that is asked for with four eyes; of the others the guard of the event sees to it. */
const FOUR_EYES = 'pay_by_both'

const { event, domain } = defineDomain<{ readonly paid: number }>()
const claims = domain({
  name: 'claims',
  initial: { paid: 0 },
  events: {
    paid: event({
      schema: z.object({ askedBy: z.string() }),
      by: [{ source: 'model' }],
      guard: (_state, { askedBy }, { origin }) =>
        (origin.approvedBy?.actor ?? askedBy) === askedBy
          ? { refused: 'precondition', detail: 'payer and approver are one person' }
          : undefined,
      reduce: ({ paid }) => ({ paid: paid + 1 }),
    }),
  },
})

const clerk = defineAgent({
  name: 'clerk',
  domain: claims,
  tools: Object.fromEntries(
    Object.entries(APPROVERS).map(([name, by]) => [
      name,
      {
        inputSchema: z.object({}),
        needsApproval: { by, fourEyes: name === FOUR_EYES },
        proposes: ['paid'] as const,
        execute: async (_input: unknown, { propose, actor = '' }) => {
          const { refused } = await propose([{ type: 'paid', data: { askedBy: actor } }])
          return refused[0]?.detail ?? 'paid'
        },
      },
    ]),
  ),
  model: scriptedModel(({ messages }): ScriptedReply => {
    const said = messages.at(-1)?.text ?? ''
    return Object.hasOwn(APPROVERS, said) ? { toolCalls: [{ name: said, input: {} }] } : 'Done.'
  }),
})

const asks = { read: 'all', run: 'all', begin: true } as const
const app = defineApp({
  name: 'claims',
  domain: claims,
  agents: [clerk],
  roles: {
    // She may answer everything that her own page is asked.
    holder: { ...asks, answer: true },
    handler: { ...asks, answer: true },
    chief: { ...asks, answer: { approvals: ['pay_by_chief', 'pay_by_both'] } },
    reader: { read: 'all' },
  },
})

test('[X30] an approval is taken from the roles that the tool names, and from no payer', async ({
  annotate,
}) => {
  const random = chance(newSeed())
  const oneOf = <Each>(list: readonly Each[]): Each =>
    list[Math.floor(random() * list.length)] as Each
  const tl = await open({ store: 'memory:', apps: [app] })
  onTestFinished(() => tl.close())
  const http = routes(tl, {
    authenticate: ({ headers }) => ({
      role: headers.get('x-role') ?? '',
      actor: headers.get('x-actor') ?? '',
    }),
    turnsPerMinute: 10_000,
  })
  const counts = { wrongRole: 0, payer: 0, taken: 0, refused: 0 }
  for (let at = 0; at < ANSWERS; at++) {
    const [tool, role, actor] = [oneOf(Object.keys(APPROVERS)), oneOf(ROLES), oneOf(ACTORS)]
    const payer = oneOf(ACTORS)
    const thread = `claim-${at}`
    const { run } = await tl.turn(thread, { agent: 'clerk', input: tool, actor: payer }).result
    const values = { approved: true }
    const isTaken =
      random() < 0.5
        ? await takenOverHttp({ tl, http }, { thread, run, values, role, actor })
        : await takenInProgram({ tl }, { thread, run, values, role, actor })
    await tl.settled()
    const { paid } = (await tl.state(thread)).state
    if (isTaken && !APPROVERS[tool]?.includes(role)) counts.wrongRole++
    if (actor === payer && mayNotBe({ tool, isTaken, paid })) counts.payer++
    counts[isTaken ? 'taken' : 'refused']++
    const decided = { tool, role, actor, payer, paid }
    expect(decided).toEqual({ ...decided, paid: isTaken && actor !== payer ? 1 : 0 })
  }
  expect(counts).toMatchObject({ wrongRole: 0, payer: 0 })
  expect(counts.taken).toBeGreaterThan(0)
  await annotate(
    `${counts.wrongRole} of ${ANSWERS} taken from a wrong role, ${counts.payer} from the payer; ${counts.taken} taken, ${counts.refused} refused`,
    'promise',
  )
  http.close()
})

/** Of the person who asked: a payment, or an answer that was taken where four eyes are needed. */
function mayNotBe({ tool, isTaken, paid }: Decided): boolean {
  return paid > 0 || (isTaken && tool === FOUR_EYES)
}

interface Decided {
  readonly tool: string
  readonly isTaken: boolean
  readonly paid: number
}

interface Office {
  readonly tl: Pick<Throughline, 'subscribe' | 'resume'>
  readonly http: Pick<Routes, 'fetch'>
}

interface Answer {
  readonly thread: string
  readonly run: string
  readonly values: Readonly<Record<string, boolean>>
  readonly role: string
  readonly actor: string
}

async function takenOverHttp(
  { tl, http }: Office,
  { thread, run, values, role, actor }: Answer,
): Promise<boolean> {
  const response = await http.fetch(
    new Request(`http://any.example/api/threads/${thread}/runs/${run}/resume`, {
      method: 'POST',
      body: JSON.stringify({ values }),
      headers: { 'content-type': 'application/json', 'x-role': role, 'x-actor': actor },
    }),
  )
  const { runId = '' } = (await response.json()) as { readonly runId?: string }
  if (response.status !== 202) return false
  for await (const records of tl.subscribe(thread)) {
    if (records.some(({ type, origin }) => type === 'RUN_FINISHED' && origin.run === runId)) break
  }
  return true
}

async function takenInProgram(
  { tl }: Pick<Office, 'tl'>,
  { thread, ...answer }: Answer,
): Promise<boolean> {
  return tl.resume(thread, answer).result.then(
    () => true,
    () => false,
  )
}
