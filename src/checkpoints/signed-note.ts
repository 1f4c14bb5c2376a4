import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { CheckpointError } from './checkpoint-error.ts'

/** Algorithms of C2SP's signed notes: Ed25519, and Ed25519 over a text with the time of a witness. */
const ED25519 = 1
const COSIGNATURE = 4
const SEED_BYTES = 32
const ID_BYTES = 4
const TIME_BYTES = 8
const SIGNATURE = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/
/** Signatures of one note. */
export const NOTE_SIGNATURES_MAX = 16
/** Characters of a note that somebody sends. */
export const NOTE_CHARS_MAX = 16_384

/** What comes before a seed and a public key in their DER forms. */
const SEED_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

/** Signs notes under a name. */
export interface Signer {
  readonly name: string
  /** `NAME+ID+KEY`: with it anybody checks the signatures. */
  readonly verifier: string
  readonly sign: (text: string) => string
  /** Signs as a witness, with the time in seconds since the epoch. */
  readonly cosign: (text: string, seconds: number) => string
}

/** Checks notes that were signed under a name. */
export interface Verifier {
  readonly name: string
  readonly key: string
  /** Whether a note bears a signature of it over its text. */
  readonly isSignedBy: (note: Note) => boolean
}

/** A text that ends in a newline, and the lines of its signatures. */
export interface Note {
  readonly text: string
  readonly signatures: readonly { readonly name: string; readonly bytes: Buffer }[]
}

/** A new key for `CHECKPOINT_KEY` or for a witness: keep it secret. */
export function newSigningKey(name: string): string {
  requireName(name)
  const { privateKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-SEED_BYTES)
  const id = idOf(name, ED25519, publicBytes(createPublicKey(privateKey)))
  return `PRIVATE+KEY+${name}+${id.toString('hex')}+${Buffer.of(ED25519, ...seed).toString('base64')}`
}

/** @throws {@link CheckpointError} `invalid_key` */
export function signerOf(key: string): Signer {
  const [, name = '', id = '', text = ''] =
    /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(key.trim()) ?? []
  const bytes = Buffer.from(text, 'base64')
  if (bytes[0] !== ED25519 || bytes.length !== SEED_BYTES + 1)
    throw noKey('PRIVATE+KEY+NAME+ID+KEY')
  requireName(name)
  const der = Buffer.concat([SEED_HEAD, bytes.subarray(1)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const open = publicBytes(createPublicKey(privateKey))
  if (idOf(name, ED25519, open).toString('hex') !== id) throw noKey('PRIVATE+KEY+NAME+ID+KEY')
  const verifierOfKind = (kind: number) =>
    `${name}+${idOf(name, kind, open).toString('hex')}+${Buffer.of(kind, ...open).toString('base64')}`
  const line = (kind: number, signature: Buffer) =>
    `— ${name} ${Buffer.concat([idOf(name, kind, open), signature]).toString('base64')}\n`
  return {
    name,
    verifier: verifierOfKind(ED25519),
    sign: (note) => line(ED25519, sign(null, Buffer.from(note), privateKey)),
    cosign(note, seconds) {
      const signed = sign(null, Buffer.from(cosigned(note, seconds)), privateKey)
      const time = Buffer.alloc(TIME_BYTES)
      time.writeBigUInt64BE(BigInt(seconds))
      return line(COSIGNATURE, Buffer.concat([time, signed]))
    },
  }
}

/** @throws {@link CheckpointError} `invalid_key` */
export function verifierOf(key: string): Verifier {
  const [, name = '', id = '', text = ''] =
    /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(key.trim()) ?? []
  const bytes = Buffer.from(text, 'base64')
  const open = bytes.subarray(1)
  const isKey = bytes[0] === ED25519 && open.length === SEED_BYTES
  if (!isKey || idOf(name, ED25519, open).toString('hex') !== id) throw noKey('NAME+ID+KEY')
  const der = Buffer.concat([PUBLIC_HEAD, open])
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const own = [ED25519, COSIGNATURE].map((kind) => ({ kind, id: idOf(name, kind, open) }))
  return {
    name,
    key: key.trim(),
    isSignedBy: ({ text: signed, signatures }) =>
      signatures.some((given) => {
        if (given.name !== name) return false
        const kind = own.find((each) => each.id.equals(given.bytes.subarray(0, ID_BYTES)))?.kind
        const rest = given.bytes.subarray(ID_BYTES)
        if (kind === ED25519) return verify(null, Buffer.from(signed), publicKey, rest)
        if (kind !== COSIGNATURE || rest.length < TIME_BYTES) return false
        const over = cosigned(signed, Number(rest.readBigUInt64BE()))
        return verify(null, Buffer.from(over), publicKey, rest.subarray(TIME_BYTES))
      }),
  }
}

/** @throws {@link CheckpointError} `invalid_checkpoint` */
export function noteOf(given: string): Note {
  const end = given.lastIndexOf('\n\n')
  const lines = given
    .slice(end + 2)
    .split('\n')
    .slice(0, -1)
  const signatures = lines.map(signatureIn)
  const isNote =
    end > 0 &&
    given.length <= NOTE_CHARS_MAX &&
    given.endsWith('\n') &&
    signatures.length > 0 &&
    signatures.length <= NOTE_SIGNATURES_MAX &&
    signatures.every(({ bytes }) => bytes.length > ID_BYTES)
  if (isNote) return { text: given.slice(0, end + 1), signatures }
  throw new CheckpointError(
    'invalid_checkpoint',
    'Cannot read the checkpoint: it is no signed note',
  )
}

/** The note with signatures of further keys, each once, and as many as it may have. */
export function withSignatures(note: string, lines: string): string {
  let signed = note
  for (const line of lines.split('\n').slice(0, -1)) {
    const { signatures } = noteOf(signed)
    const added = signatureIn(line)
    if (signatures.length === NOTE_SIGNATURES_MAX) return signed
    if (!signatures.some((held) => isOfSameKey(held, added))) signed += `${line}\n`
  }
  return signed
}

type Signature = Note['signatures'][number]

function signatureIn(line: string): Signature {
  const [, name = '', bytes = ''] = SIGNATURE.exec(line) ?? []
  return { name, bytes: Buffer.from(bytes, 'base64') }
}

function isOfSameKey(one: Signature, other: Signature): boolean {
  const [id, otherId] = [one, other].map(({ bytes }) => bytes.subarray(0, ID_BYTES))
  return one.name === other.name && id !== undefined && otherId?.equals(id) === true
}

function cosigned(note: string, seconds: number): string {
  return `cosignature/v1\ntime ${seconds}\n${note}`
}

function idOf(name: string, kind: number, key: Uint8Array): Buffer {
  const id = createHash('sha256').update(`${name}\n`).update(Buffer.of(kind)).update(key).digest()
  return id.subarray(0, ID_BYTES)
}

function publicBytes(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_HEAD.length)
}

function requireName(name: string): void {
  if (/^[^+\s]{1,200}$/.test(name)) return
  const mend = 'a name without blanks or "+", such as shop.example/log'
  throw new CheckpointError('invalid_key', `Cannot use the name "${name}" of a key; give ${mend}`)
}

function noKey(form: string): CheckpointError {
  const mend = `give ${form} as \`throughline witness --new-key NAME\` prints it`
  return new CheckpointError(
    'invalid_key',
    `Cannot use this key: it is no Ed25519 key of signed notes; ${mend}`,
  )
}
