import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { EventLog } from '../../log/index.ts'
import { Revocations } from './revocations.ts'
import { TokenIssuer } from './token-issuer.ts'
import { Tokens } from './tokens.ts'
import type { IssuedGrant } from './tokens.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

const tokens = new Tokens(['s'])
const issueIn = (log: EventLog, role: string = 'customer', thread = 't') =>
  new TokenIssuer({ tokens, log }).issue({ thread, role })

test('[E8] a revoked token is revoked for every server that reads the log, and no other token is', async () => {
  const log = memoryLog()
  const [lost, kept, elsewhere] = [
    await issueIn(log),
    await issueIn(log),
    await issueIn(log, 'customer', 'u'),
  ]
  const record = await new Revocations(log).revokeToken(lost)
  expect(record).toMatchObject({
    type: 'token_revoked',
    data: { role: 'customer', token: lost.id },
  })
  const restarted = new Revocations(log)
  const revoked = await Promise.all([lost, kept, elsewhere].map((one) => restarted.isRevoked(one)))
  expect(revoked).toEqual([true, false, false])
  expect(await restarted.revokeToken(lost)).toEqual(record)
  expect(await log.head('t')).toBe(0)
})

test('[E8] revoking a role takes back its issued tokens, not later ones', async () => {
  const log = memoryLog()
  const revocations = new Revocations(log)
  const issued: IssuedGrant[] = []
  for (let round = 0; round < 5; round++) {
    issued.push(await issueIn(log))
    await revocations.revokeRole('t', 'customer')
  }
  const [fresh, other] = [await issueIn(log), await issueIn(log, 'installer')]
  for (const each of [revocations, new Revocations(log)]) {
    const revoked = await Promise.all([...issued, fresh, other].map((one) => each.isRevoked(one)))
    expect(revoked).toEqual([true, true, true, true, true, false, false])
  }
})

test('[E8] a grant in use ends by its own revocation, by that of its role, or by its time', async () => {
  const log = memoryLog()
  const revocations = new Revocations(log)
  const [mine, also, other, brief] = [
    await issueIn(log),
    await issueIn(log),
    await issueIn(log, 'auditor'),
    await issueIn(log),
  ]
  const watches = await Promise.all(
    [mine, also, other, { ...brief, expiresAt: Date.now() + 30 }].map((one) =>
      revocations.watch(one),
    ),
  )
  const ended = () => watches.map(({ signal }) => signal.aborted)
  await vi.waitFor(() => expect(ended()).toEqual([false, false, false, true]))
  await new Revocations(log).revokeToken(mine)
  await vi.waitFor(() => expect(ended()).toEqual([true, false, false, true]))
  await new Revocations(log).revokeRole('t', 'customer')
  await vi.waitFor(() => expect(ended()).toEqual([true, true, false, true]))
  for (const { release } of watches) release()
})

test('[E8] a grant that was revoked before it is watched has ended', async () => {
  const log = memoryLog()
  const revocations = new Revocations(log)
  const lost = await issueIn(log)
  await revocations.revokeToken(lost)
  expect((await revocations.watch(lost)).signal.aborted).toBe(true)
})

test('[E8] grants of a thread that cannot be followed any more end', async () => {
  const log = memoryLog()
  const { signal } = await new Revocations(log).watch(await issueIn(log))
  await log.close()
  await vi.waitFor(() => expect(signal.aborted).toBe(true))
})

test('[E8] a token may live longer than a timer can wait, and an unused grant holds no timer', async () => {
  const log = memoryLog()
  const subscribe = vi.spyOn(log, 'subscribe')
  const revocations = new Revocations(log)
  const watches = [
    await revocations.watch(await issueIn(log)),
    await revocations.watch(await issueIn(log)),
  ]
  expect(subscribe).toHaveBeenCalledOnce()
  await pause(20)
  expect(watches.map(({ signal }) => signal.aborted)).toEqual([false, false])
  for (const { release } of watches) release()
  await revocations.watch(await issueIn(log))
  expect(subscribe).toHaveBeenCalledTimes(2)
})
