import { createHash, randomUUID } from 'node:crypto'
import { EncryptJWT, SignJWT, errors, jwtDecrypt, jwtVerify } from 'jose'

export type Role = 'installer' | 'customer' | 'auditor' | 'operator'
export const ROLES = ['installer', 'customer', 'auditor'] as const
export type ThreadRole = (typeof ROLES)[number]

/** What a token lets its bearer do: one role in one thread. */
export interface Grant {
  readonly thread: string
  readonly role: ThreadRole
}

/** A grant as one token carries it; times are in milliseconds since the epoch. */
export interface IssuedGrant extends Grant {
  readonly id: string
  readonly issuedAt: number
  readonly expiresAt: number
}

/** The longest token that is read, in characters. */
export const TOKEN_LENGTH_MAX = 4_096
/** How long a link to a case works, in seconds. */
export const TOKEN_LIFETIME_S = 30 * 24 * 3600
/** How long a recovery seed works, in seconds. */
export const SEED_LIFETIME_S = 7 * 24 * 3600

/** Makes and reads what people carry: signed tokens and sealed seeds, all under one secret. */
export class Tokens {
  readonly #signing: Uint8Array
  readonly #sealing: Uint8Array

  constructor(secret: string) {
    this.#signing = derive(secret, 'token')
    this.#sealing = derive(secret, 'seed')
  }

  async sign(grant: Grant): Promise<string> {
    return (await this.issue(grant)).token
  }

  /** A token, with what it carries. */
  async issue({ thread, role }: Grant): Promise<IssuedGrant & { readonly token: string }> {
    const id: string = randomUUID()
    const issuedAt = Date.now()
    const expiresAt = issuedAt + TOKEN_LIFETIME_S * 1_000
    const token = await new SignJWT({ role })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(thread)
      .setJti(id)
      // With its milliseconds: a role may be revoked and let in again within a second.
      .setIssuedAt(issuedAt / 1_000)
      .setExpirationTime(expiresAt / 1_000)
      .sign(this.#signing)
    return { token, thread, role, id, issuedAt, expiresAt }
  }

  /**
   * What a token carries, or undefined when it is not one of ours or has expired. Whether it has been
   * revoked stands in the log.
   */
  async verify(token: string): Promise<IssuedGrant | undefined> {
    if (!isCanonical(token)) return undefined
    const requiredClaims = ['exp', 'iat', 'jti', 'sub']
    const read = await readOrNothing(
      jwtVerify(token, this.#signing, { algorithms: ['HS256'], requiredClaims }),
    )
    if (!read) return undefined
    const { sub: thread, jti: id, iat = 0, exp = 0, role: claimed } = read.payload
    const role = ROLES.find((candidate) => candidate === claimed)
    if (!role || !thread || !id) return undefined
    return { thread, role, id, issuedAt: Math.round(iat * 1_000), expiresAt: exp * 1_000 }
  }

  /** Encrypts and authenticates what a page carries for a server that may have lost it. */
  seal(content: Readonly<Record<string, unknown>>): Promise<string> {
    return new EncryptJWT({ content })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setIssuedAt()
      .setExpirationTime(`${SEED_LIFETIME_S}s`)
      .encrypt(this.#sealing)
  }

  /** What was sealed, or undefined when it is forged, altered, foreign or expired. */
  async open(sealed: string): Promise<unknown> {
    if (!isCanonical(sealed)) return undefined
    const read = await readOrNothing(
      jwtDecrypt(sealed, this.#sealing, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        requiredClaims: ['exp'],
      }),
    )
    return read?.payload['content']
  }
}

/** Whether a token is written in the one way that we write it: in base64url a last bit may mean nothing. */
function isCanonical(token: string): boolean {
  return token
    .split('.')
    .every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

async function readOrNothing<Read>(reading: Promise<Read>): Promise<Read | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined
    throw error
  }
}

function derive(secret: string, purpose: string): Uint8Array {
  return createHash('sha256').update(`throughline:${purpose}:${secret}`).digest()
}
