import { createHash } from 'node:crypto'
import { EncryptJWT, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { Tokens } from './tokens.ts'

const tokens = new Tokens('s')
const keyFor = (purpose: string) => createHash('sha256').update(`throughline:${purpose}:s`).digest()

const signed = (role: string, expires: string) =>
  new SignJWT({ role })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('t')
    .setJti('7')
    .setIssuedAt(1_800_000_000.25)
    .setExpirationTime(expires)
    .sign(keyFor('token'))

test('[X6] a token that we signed is one only with a known role and a time to come', async () => {
  expect(await tokens.verify(await signed('customer', '1h'))).toMatchObject({
    thread: 't',
    role: 'customer',
    id: '7',
    issuedAt: 1_800_000_000_250,
  })
  expect(await tokens.verify(await signed('emperor', '1h'))).toBeUndefined()
  expect(await tokens.verify(await signed('operator', '1h'))).toBeUndefined()
  expect(await tokens.verify(await signed('customer', '-1h'))).toBeUndefined()
})

test('[E8] each token can be told from every other: one without an id could not be revoked', async () => {
  const [one, other] = await Promise.all(
    [0, 1].map(() => tokens.issue({ thread: 't', role: 'customer' })),
  )
  const { token, ...grant } = one ?? {}
  expect(await tokens.verify(token ?? '')).toEqual(grant)
  expect(other?.id).not.toBe(one?.id)
  const nameless = new SignJWT({ role: 'customer' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('t')
    .setIssuedAt()
    .setExpirationTime('1h')
  expect(await tokens.verify(await nameless.sign(keyFor('token')))).toBeUndefined()
})

test('[X6] a seed opens with its secret and before its end only', async () => {
  const sealed = await tokens.seal({ a: 1 })
  expect(await tokens.open(sealed)).toEqual({ a: 1 })
  expect(await new Tokens('other').open(sealed)).toBeUndefined()
  expect(await tokens.open(await signed('customer', '1h'))).toBeUndefined()
  const expired = await new EncryptJWT({ content: { a: 1 } })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime('-1h')
    .encrypt(keyFor('seed'))
  expect(await tokens.open(expired)).toBeUndefined()
})
