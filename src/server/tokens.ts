import { createHash } from 'node:crypto'
import { EncryptJWT, SignJWT, errors, jwtDecrypt, jwtVerify } from 'jose'

export type Role = 'installer' | 'customer' | 'auditor' | 'operator'
export const ROLES = ['installer', 'customer', 'auditor'] as const
export type ThreadRole = (typeof ROLES)[number]

/** What a token lets its bearer do: one role in one thread. */
export interface Grant {
  readonly thread: string
  readonly role: ThreadRole
}

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

  sign(grant: Grant): Promise<string> {
    return new SignJWT({ role: grant.role })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(grant.thread)
      .setIssuedAt()
      .setExpirationTime(`${TOKEN_LIFETIME_S}s`)
      .sign(this.#signing)
  }

  /** The grant of a token, or undefined when it is not one of ours or has expired. */
  async verify(token: string): Promise<Grant | undefined> {
    const read = await readOrNothing(
      jwtVerify(token, this.#signing, { algorithms: ['HS256'], requiredClaims: ['exp', 'sub'] }),
    )
    const role = ROLES.find((candidate) => candidate === read?.payload['role'])
    const thread = read?.payload.sub
    return role && thread ? { thread, role } : undefined
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
