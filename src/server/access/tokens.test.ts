import { createHash } from 'node:crypto'
import { EncryptJWT, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { Tokens } from './tokens.ts'

const tokens = new Tokens(['s'])
const keyFor = (purpose: string) => createHash('sha256').update(`throughline:${purpose}:s`).digest()

const signed = (role: string, expires: string) =>
  new SignJWT({ role, gen: 0 })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('t')
    .setJti('7')
    .setIssuedAt(1_800_000_000.25)
    .setExpirationTime(expires)
    .sign(keyFor('token'))

test('[X6] a token that we signed is one only with a role but the operator’s and a time to come', async () => {
  expect(await tokens.verify(await signed('customer', '1h'))).toMatchObject({
    thread: 't',
    role: 'customer',
    id: '7',
    generation: 0,
  })
  expect(await tokens.verify(await signed('operator', '1h'))).toBeUndefined()
  expect(await tokens.verify(await signed('customer', '-1h'))).toBeUndefined()
})

test('[E8] each token can be told from every other: one without an id or a generation could not be revoked', async () => {
  const [one, other] = await Promise.all(
    [0, 1].map(() => tokens.issue({ thread: 't', role: 'customer', generation: 3 })),
  )
  const { token, ...grant } = one ?? {}
  expect(await tokens.verify(token ?? '')).toEqual(grant)
  expect(other?.id).not.toBe(one?.id)
  const unlike = (claims: object) =>
    new SignJWT({ role: 'customer', ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('t')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(keyFor('token'))
  for (const claims of [{ gen: 0 }, { jti: '7' }])
    expect(await tokens.verify(await unlike(claims))).toBeUndefined()
  expect(await tokens.verify(await unlike({ gen: 0, jti: '7' }))).toMatchObject({ id: '7' })
})

test('[X6] a seed opens under its secret, and not after it has expired', async () => {
  const sealed = await tokens.seal({ a: 1 })
  expect(await tokens.open(sealed)).toEqual({ a: 1 })
  expect(await new Tokens(['other']).open(sealed)).toBeUndefined()
  expect(await tokens.open(await signed('customer', '1h'))).toBeUndefined()
  const expired = await new EncryptJWT({ content: { a: 1 } })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime('-1h')
    .encrypt(keyFor('seed'))
  expect(await tokens.open(expired)).toBeUndefined()
})

const ROUNDS = 100

test('[X15] tokens, seeds and sessions hold under every listed secret, and under no removed one', async ({
  annotate,
}) => {
  const [old, fresh, later] = ['the old secret', 'the fresh secret', 'a later secret']
  const servers = {
    before: new Tokens([old]),
    rotating: new Tokens([fresh, old]),
    waiting: new Tokens([old, fresh]),
    after: new Tokens([fresh]),
    long: new Tokens([later, fresh]),
  }
  const pairs: readonly (readonly [Tokens, Tokens, 'accepted' | 'refused'])[] = [
    [servers.before, servers.rotating, 'accepted'],
    [servers.rotating, servers.waiting, 'accepted'],
    [servers.waiting, servers.rotating, 'accepted'],
    [servers.rotating, servers.after, 'accepted'],
    [servers.after, servers.long, 'accepted'],
    [servers.rotating, servers.before, 'refused'],
    [servers.before, servers.after, 'refused'],
    [servers.waiting, servers.after, 'refused'],
    [servers.before, servers.long, 'refused'],
  ]
  const wrong: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const grant = { thread: `t${round}`, role: 'customer', generation: round } as const
    for (const [at, [from, to, expected]] of pairs.entries()) {
      const found = [
        await to.verify((await from.issue(grant)).token),
        await to.open(await from.seal({ a: 1 })),
        await to.verifySession((await from.issueSession('bound')).token, 'bound'),
      ].map((read) => (read === undefined ? 'refused' : 'accepted'))
      if (found.some((each) => each !== expected)) wrong.push(`pair ${at}: ${found.join(', ')}`)
    }
  }
  expect(wrong).toEqual([])
  const count = ROUNDS * pairs.length * 3
  await annotate(`${wrong.length} of ${count} tokens, seeds and sessions judged wrongly`, 'promise')
})

test('[X16] a session of the operator is no token, and holds for its binding only', async () => {
  const { token, id } = await tokens.issueSession('one')
  expect(await tokens.verifySession(token, 'one')).toMatchObject({ id })
  expect(await tokens.verifySession(token, 'two')).toBeUndefined()
  expect(await tokens.verify(token)).toBeUndefined()
  const { token: grant } = await tokens.issue({ thread: 't', role: 'customer', generation: 0 })
  expect(await tokens.verifySession(grant, 'one')).toBeUndefined()
})
