import { createHash, createHmac } from 'node:crypto'
import { EncryptJWT, SignJWT } from 'jose'
import { SECRET } from './served-api.fixture.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The key that a server derives for a purpose. */
export function keyOf(purpose: 'token' | 'seed', secret = SECRET): Uint8Array {
  return createHash('sha256').update(`throughline:${purpose}:${secret}`).digest()
}

export interface Forged {
  readonly name: string
  readonly text: string
}

/** A signed or sealed text with something changed at every position, and its parts moved about. */
export function mutations(text: string): readonly Forged[] {
  const other = (at: number, by: number) => {
    const place = ALPHABET.indexOf(text[at] ?? '')
    // Dots stand between the parts; in their place anything else is a change.
    return place < 0 ? 'A' : (ALPHABET[(place + by) % 64] ?? 'A')
  }
  const changed = Array.from({ length: text.length }, (_, at) =>
    [1, 2, 32].map((by) => ({
      name: `character ${at} moved by ${by}`,
      text: text.slice(0, at) + other(at, by) + text.slice(at + 1),
    })),
  ).flat()
  const parts = text.split('.')
  return [
    ...changed,
    ...sameBits(parts),
    ...parts.map((_, at) => ({
      name: `without part ${at}`,
      text: parts.toSpliced(at, 1).join('.'),
    })),
    ...parts.map((_, at) => ({ name: `part ${at} empty`, text: parts.with(at, '').join('.') })),
    ...[1, 2, 5, 20].map((cut) => ({ name: `${cut} cut off`, text: text.slice(0, -cut) })),
    ...['.', '.A', 'A', 'AAAA', '=', '\n', '%00'].map((more) => ({
      name: `with ${JSON.stringify(more)}`,
      text: text + more,
    })),
    { name: 'parts reversed', text: parts.toReversed().join('.') },
    { name: 'all in upper case', text: text.toUpperCase() },
  ].filter((each) => each.text !== text)
}

/** Returns other base64 spellings of the same bytes, none of which was issued. */
function sameBits(parts: readonly string[]): readonly Forged[] {
  return parts.flatMap((part, index) => {
    const bytes = Buffer.from(part, 'base64url')
    const spellings = [
      `${part}=`,
      `${part}==`,
      bytes.toString('base64'),
      part.replaceAll('-', '+').replaceAll('_', '/'),
      ...Array.from(ALPHABET, (last) => part.slice(0, -1) + last),
    ].filter((text) => text !== part && Buffer.from(text, 'base64url').equals(bytes))
    return spellings.map((spelling, at) => ({
      name: `part ${index} in spelling ${at}`,
      text: parts.with(index, spelling).join('.'),
    }))
  })
}

interface Claims {
  readonly [name: string]: unknown
}

const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600

const OWN: Claims = { alg: 'HS256', typ: 'JWT' }

const goodFor = (sub: string): Claims => ({
  sub,
  role: 'auditor',
  gen: 0,
  jti: crypto.randomUUID(),
  iat: 1,
  exp: inAnHour(),
})

/** A token that the server would have made: each forged one differs from it in one thing. */
export const soundToken = (sub: string): string => signed(OWN, goodFor(sub), keyOf('token'))

/** Tokens that were never given out, for a thread that there is. */
export async function forgedTokens(sub: string): Promise<readonly Forged[]> {
  const good = goodFor(sub)
  const claims: readonly (readonly [string, Claims])[] = [
    ['expired', { ...good, exp: 2 }],
    ['not yet valid', { ...good, nbf: inAnHour() }],
    ['without an end', { ...good, exp: undefined }],
    ['an end that is no number', { ...good, exp: 'never' }],
    ['without a thread', { ...good, sub: undefined }],
    ['of no role', { ...good, role: undefined }],
    ['of the operator', { ...good, role: 'operator' }],
    ['of a list of roles', { ...good, role: ['auditor'] }],
    ['of another case of letters', { ...good, role: 'AUDITOR' }],
    ['of __proto__', { ...good, role: '__proto__' }],
  ]
  const headers: readonly (readonly [string, Claims])[] = [
    ['crit', { ...OWN, crit: ['x'], x: 1 }],
    ['b64', { ...OWN, b64: false, crit: ['b64'] }],
    ['HS384', { alg: 'HS384' }],
    ['HS512', { alg: 'HS512' }],
    ['RS256', { alg: 'RS256' }],
    ['no alg', { typ: 'JWT' }],
    ['an alg that is a list', { alg: ['HS256'] }],
  ]
  const secrets: readonly (readonly [string, Uint8Array])[] = [
    ['the bare secret', Buffer.from(SECRET)],
    ['an empty secret', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(32)],
    ['the key of seeds', keyOf('seed')],
    ['the key of another server', keyOf('token', 'another secret')],
  ]
  const unsigned = ['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg) =>
    ['', '.', '.AA'].map((end) => ({
      name: `alg ${alg}${end}`,
      text: `${encoded({ alg })}.${encoded(good)}${end}`,
    })),
  )
  const key = keyOf('token')
  return [
    ...unsigned,
    ...claims.map(([name, each]) => ({ name, text: signed(OWN, each, key) })),
    ...headers.map(([name, each]) => ({ name, text: signed(each, good, key) })),
    ...secrets.map(([name, each]) => ({ name, text: signed(OWN, good, each) })),
    { name: 'sealed, not signed', text: await sealedAs(good, keyOf('seed')) },
    { name: 'sealed under the key of tokens', text: await sealedAs(good, key) },
  ]
}

function signed(header: Claims, claims: Claims, key: Uint8Array): string {
  const hash = String(header['alg']).replace('HS', 'sha')
  const digest = ['sha256', 'sha384', 'sha512'].includes(hash) ? hash : 'sha256'
  const text = `${encoded(header)}.${encoded(claims)}`
  return `${text}.${createHmac(digest, key).update(text).digest('base64url')}`
}

function encoded(value: Claims): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function sealedAs(claims: Claims, key: Uint8Array): Promise<string> {
  return new EncryptJWT({ ...claims })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key)
}

/** Seeds that no server has sealed, of the content of one that a server has. */
export async function forgedSeeds(content: Claims): Promise<readonly Forged[]> {
  const seal = (key: Uint8Array, exp = '1h', changed: Claims = {}) =>
    new EncryptJWT({ content: { ...content, ...changed } })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setIssuedAt()
      .setExpirationTime(exp)
      .encrypt(key)
  const plain = await new SignJWT({ content })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(keyOf('token'))
  const changed: readonly Claims[] = [
    { threadId: 'another' },
    { v: 1 },
    { source: {} },
    { customerMessages: 'none' },
    { state: { case: {}, scenario: 'clean' } },
  ]
  const unfit = changed.map(async (each) => ({
    name: `with ${JSON.stringify(each)}`,
    text: await seal(keyOf('seed'), '1h', each),
  }))
  return [
    ...(await Promise.all(unfit)),
    { name: 'signed, not sealed', text: plain },
    { name: 'not sealed at all', text: encoded({ content }) },
    { name: 'the key of tokens', text: await seal(keyOf('token')) },
    { name: 'another secret', text: await seal(keyOf('seed', 'another secret')) },
    { name: 'expired', text: await seal(keyOf('seed'), '-1s') },
    {
      name: 'without an end',
      text: await sealedAs({ content }, keyOf('seed')),
    },
  ]
}
