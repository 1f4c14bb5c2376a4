import { createHash, randomUUID } from 'node:crypto'
import { EncryptJWT, SignJWT, errors, jwtDecrypt, jwtVerify } from 'jose'
import type { JWTPayload } from 'jose'
import { CALLER, OPERATOR } from '../../application/index.ts'
import { assert } from '../../assert/index.ts'

/** The permission of a token's bearer: one role in one thread. */
export interface Grant {
  readonly thread: string
  /** One of those that the thread’s application declares. */
  readonly role: string
}

/** A grant under the generation of its role in its thread: revoking the role begins the next one. */
export interface GenerationGrant extends Grant {
  readonly generation: number
}

/** The members of every token; the time is in milliseconds since the epoch. */
export interface Issued {
  readonly id: string
  readonly expiresAt: number
}

/** A grant as one token carries it. */
export type IssuedGrant = GenerationGrant & Issued

/** The permission of a caller token's bearer: to ask these agents, in threads that its subject began. */
export interface CallerClaims {
  /** The person or system that calls, as an opaque id. */
  readonly subject: string
  readonly agents: readonly string[]
}

/** A caller's claims as one token carries them. */
export type CallerGrant = CallerClaims & Issued

/** A browser's session, made in exchange for the operator's token. */
export type OperatorSession = Issued

/** The longest token that is read, in characters. */
export const TOKEN_LENGTH_MAX = 4_096
/** The longest name of a role. */
export const ROLE_CHARS_MAX = 64
/** For a link to a case. */
export const TOKEN_LIFETIME_S = 30 * 24 * 3600
/** Agents that one caller token names. */
export const CALLER_AGENTS_MAX = 32
/** The longest subject of a caller token, in characters. */
export const SUBJECT_CHARS_MAX = 200
/** The longest time that a caller token can be issued for, in seconds: a year. */
export const CALLER_LIFETIME_S_MAX = 365 * 24 * 3600
/** For a recovery seed. */
export const SEED_LIFETIME_S = 7 * 24 * 3600
/** For an operator's sign-in. */
export const OPERATOR_SESSION_LIFETIME_S = 12 * 3600

/**
 * Makes and reads signed tokens and sealed seeds. The first secret signs and
 * seals; tokens and seeds of any of them are accepted.
 */
export class Tokens {
  readonly #secrets: readonly string[]

  constructor(secrets: readonly string[]) {
    assert(secrets.length > 0, 'Cannot sign: there is no secret')
    this.#secrets = secrets
  }

  /** Issues a token and returns it with its claims. */
  async issue(grant: GenerationGrant): Promise<IssuedGrant & { readonly token: string }> {
    const { thread, role, generation } = grant
    const claims = new SignJWT({ role, gen: generation }).setSubject(thread)
    return { thread, role, generation, ...(await this.#sign(claims, 'token', TOKEN_LIFETIME_S)) }
  }

  /**
   * Returns the claims of a token, or undefined when no accepted secret signed it or it has expired.
   * The log says whether it was revoked.
   */
  async verify(token: string): Promise<IssuedGrant | undefined> {
    const payload = await this.#verify(token, 'token', ['sub'])
    if (!payload) return undefined
    const { sub: thread, jti: id, exp = 0, role, gen: generation } = payload
    if (typeof role !== 'string' || role === '' || role === OPERATOR) return undefined
    if (!thread || !id || typeof generation !== 'number') return undefined
    return { thread, role, generation, id, expiresAt: exp * 1_000 }
  }

  /** Issues a token for a caller of agents. Its key differs from that of tokens for one thread. */
  async issueCaller(
    { subject, agents }: CallerClaims,
    lifetimeS: number,
  ): Promise<CallerGrant & { readonly token: string }> {
    const claims = new SignJWT({ agents: [...agents] }).setSubject(subject)
    return { subject, agents, ...(await this.#sign(claims, CALLER, lifetimeS)) }
  }

  /** Returns the claims of a caller token, or undefined as `verify` does. */
  async verifyCaller(token: string): Promise<CallerGrant | undefined> {
    const payload = await this.#verify(token, CALLER, ['sub'])
    const { sub: subject, jti: id, exp = 0, agents } = payload ?? {}
    if (!subject || !id || !Array.isArray(agents)) return undefined
    if (!agents.every((name) => typeof name === 'string')) return undefined
    return { subject, agents, id, expiresAt: exp * 1_000 }
  }

  /** Issues a session of the operator that ends when `bound` changes. */
  issueSession(bound: string): Promise<OperatorSession & { readonly token: string }> {
    return this.#sign(new SignJWT(), sessionPurpose(bound), OPERATOR_SESSION_LIFETIME_S)
  }

  /** Returns the session, or undefined when it is forged, expired or bound to something else. */
  async verifySession(token: string, bound: string): Promise<OperatorSession | undefined> {
    const { jti: id, exp = 0 } = (await this.#verify(token, sessionPurpose(bound))) ?? {}
    return id ? { id, expiresAt: exp * 1_000 } : undefined
  }

  /** Encrypts and authenticates what a page carries for a server that may have lost it. */
  seal(content: Readonly<Record<string, unknown>>): Promise<string> {
    return new EncryptJWT({ content })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setIssuedAt()
      .setExpirationTime(`${SEED_LIFETIME_S}s`)
      .encrypt(this.#firstKey('seed'))
  }

  /** Returns the sealed value, or undefined when it is forged, altered, foreign or expired. */
  async open(sealed: string): Promise<unknown> {
    const options = {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      requiredClaims: ['exp'],
    }
    const payload = await this.#read(sealed, 'seed', (key) => jwtDecrypt(sealed, key, options))
    return payload?.['content']
  }

  async #sign(claims: SignJWT, purpose: string, lifetimeS: number) {
    const id: string = randomUUID()
    const issuedAtS = Math.floor(Date.now() / 1_000)
    const token = await claims
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setJti(id)
      .setIssuedAt(issuedAtS)
      .setExpirationTime(issuedAtS + lifetimeS)
      .sign(this.#firstKey(purpose))
    return { token, id, expiresAt: (issuedAtS + lifetimeS) * 1_000 }
  }

  #verify(token: string, purpose: string, claims: readonly string[] = []) {
    const requiredClaims = ['exp', 'iat', 'jti', ...claims]
    const options = { algorithms: ['HS256'], requiredClaims }
    return this.#read(token, purpose, (key) => jwtVerify(token, key, options))
  }

  /** Reads a text with the first secret that fits it. */
  async #read(
    text: string,
    purpose: string,
    read: (key: Uint8Array) => Promise<{ readonly payload: JWTPayload }>,
  ): Promise<JWTPayload | undefined> {
    if (!isCanonical(text)) return undefined
    for (const secret of this.#secrets) {
      const found = await readOrNothing(read(derive(secret, purpose)))
      if (found) return found.payload
    }
    return undefined
  }

  #firstKey(purpose: string): Uint8Array {
    return derive(this.#secrets[0] ?? '', purpose)
  }
}

function sessionPurpose(bound: string): string {
  return `operator-session:${bound}`
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
