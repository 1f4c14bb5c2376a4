import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { timesInTier } from '../../../test/tier.fixture.ts'
import { MemoryLog } from '../../log/index.ts'
import { logWith } from '../../log/log-with.fixture.ts'
import { Revocations } from './revocations.ts'
import { TokenIssuer } from './token-issuer.ts'
import { Tokens } from './tokens.ts'
import type { IssuedGrant } from './tokens.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

const INTERLEAVINGS = timesInTier({ quick: 300, full: 1_000 })
const HOUR_MS = 3_600_000
const GRANT = { thread: 't', role: 'customer' } as const

const tokens = new Tokens(['the secret of two servers'])

const openLog = () => memoryLog({ now: () => 0 })

/** A server over a log that answers when the scheduler lets it. */
function serverOn(log: MemoryLog, scheduler: fc.Scheduler) {
  const slow = logWith(log, {
    find: scheduler.scheduleFunction(log.find.bind(log)),
    append: scheduler.scheduleFunction(log.append.bind(log)),
  })
  return { issuer: new TokenIssuer({ tokens, log: slow }), revocations: new Revocations(slow) }
}

/** When an act began and ended, in steps that both servers share. */
interface Act {
  readonly began: number
  readonly ended: number
}

const acts = fc.array(
  fc.record({ kind: fc.constantFrom('issue', 'issue', 'revoke'), server: fc.nat(1) }),
  { minLength: 2, maxLength: 12 },
)

afterEach(() => vi.useRealTimers())

test('[X18] two servers an hour apart issue and revoke in any order: revoked tokens end, later ones hold', async ({
  annotate,
}) => {
  let counts = { accepted: 0, refused: 0, revoked: 0, later: 0 }
  vi.useFakeTimers({ toFake: ['Date'] })
  const property = fc.asyncProperty(fc.scheduler(), acts, async (scheduler, plan) => {
    const log = openLog()
    const servers = [serverOn(log, scheduler), serverOn(log, scheduler)]
    const issued: (Act & { readonly grant: IssuedGrant })[] = []
    const revoked: Act[] = []
    let step = 0
    const act = async ({ kind, server }: { kind: string; server: number }): Promise<void> => {
      const began = step++
      // All acts fall into one millisecond of a clock that is an hour off at one server.
      vi.setSystemTime(1_800_000_000_000 + server * HOUR_MS)
      if (kind === 'issue') {
        const grant = await servers[server]?.issuer.issue(GRANT)
        if (grant) issued.push({ began, ended: step++, grant })
      } else {
        await servers[server]?.revocations.revokeRole('t', 'customer')
        revoked.push({ began, ended: step++ })
      }
    }
    // Half of the acts begin together, the others one after another.
    const half = Math.floor(plan.length / 2)
    const together = plan.slice(0, half).map(act)
    const inOrder = async (): Promise<void> => {
      for (const next of plan.slice(half)) await act(next)
    }
    await scheduler.waitFor(Promise.all([...together, inOrder()]))
    for (const { began, ended, grant } of issued) {
      const mustEnd = revoked.some((revocation) => ended < revocation.began)
      const mustHold = revoked.every((revocation) => revocation.ended < began)
      const judged = servers.map(({ revocations }) => revocations.isRevoked(grant))
      const found = await scheduler.waitFor(Promise.all(judged))
      expect(found[0]).toBe(found[1])
      if (mustEnd && !found[0]) counts = { ...counts, accepted: counts.accepted + 1 }
      if (mustHold && found[0]) counts = { ...counts, refused: counts.refused + 1 }
      if (mustEnd) counts = { ...counts, revoked: counts.revoked + 1 }
      if (mustHold) counts = { ...counts, later: counts.later + 1 }
    }
    expect([counts.accepted, counts.refused]).toEqual([0, 0])
  })
  await fc.assert(property, { numRuns: INTERLEAVINGS })
  expect(Math.min(counts.revoked, counts.later)).toBeGreaterThan(INTERLEAVINGS / 10)
  await annotate(
    `${counts.accepted} of ${counts.revoked} revoked tokens accepted, ${counts.refused} of ${counts.later} later ones refused in ${INTERLEAVINGS} interleavings`,
    'promise',
  )
})

test('[X18] two revocations of a role at once append one record', async () => {
  const log = openLog()
  const servers = [new Revocations(log), new Revocations(log)]
  const records = await Promise.all(servers.map((each) => each.revokeRole('t', 'customer')))
  expect(records[0]).toEqual(records[1])
  expect(records[0]).toMatchObject({ seq: 0, data: { role: 'customer', generation: 1 } })
})

test('[X18] a store that lacks the revocations accepts a token of a later generation', async () => {
  const later = await tokens.issue({ ...GRANT, generation: 2 })
  expect(await new Revocations(openLog()).isRevoked(later)).toBe(false)
})

/** A log whose subscriptions deliver nothing until they are released. */
function stalledLog(log: MemoryLog) {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const readers = logWith(log, {
    async *subscribe(...args) {
      for await (const batch of log.subscribe(...args)) {
        await promise
        yield batch
      }
    },
  })
  return { readers, release }
}

test('[X18] a late record of an earlier revocation ends the tokens before it, not those after it', async () => {
  const log = openLog()
  const { readers, release } = stalledLog(log)
  const [revocations, issuer] = [new Revocations(readers), new TokenIssuer({ tokens, log })]
  const before = await revocations.watch(await issuer.issue(GRANT))
  await revocations.revokeRole('t', 'customer')
  // Both share the subscription, which has the record still before it.
  const after = await revocations.watch(await issuer.issue(GRANT))
  release()
  await vi.waitFor(() => expect(before.signal.aborted).toBe(true))
  expect(after.signal.aborted).toBe(false)
  await revocations.revokeRole('t', 'customer')
  await vi.waitFor(() => expect(after.signal.aborted).toBe(true))
})
