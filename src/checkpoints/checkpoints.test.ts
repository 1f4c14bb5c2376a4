import { expect, test } from 'vitest'
import { THREAD_CHARS_MAX } from '../log/index.ts'
import type { EventLog } from '../log/index.ts'
import { CHECKPOINTS, CHECKPOINT_HEADS_MAX, Checkpoints } from './checkpoints.ts'
import { checkpointIn, leafText } from './checkpoint.ts'
import { isConsistent, leafHash, rootOfInclusion } from './merkle-tree.ts'
import { newSigningKey, noteOf, signerOf, verifierOf } from './signed-note.ts'
import { Witness, addCheckpointBody, addCheckpointIn } from './witness.ts'
import type { WitnessState } from './witness.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

const KEY = newSigningKey('shop.example/log')
const signer = signerOf(KEY)
const verifier = verifierOf(signer.verifier)
const newLog = () => memoryLog({ now: () => 5 })
const event = { type: 'happened', data: {}, origin: { source: 'system', depth: 0 } } as const

const bytes = (hashes: readonly string[]) => hashes.map((hash) => Buffer.from(hash, 'base64'))
const treeIn = (note: string) => checkpointIn(noteOf(note).text)

async function checkpointsOf(log: EventLog, ...threads: readonly string[]) {
  for (const thread of threads) await log.append(thread, [event, event])
  return new Checkpoints({ log, signer })
}

test('a checkpoint is a note that the verifier of its key finds signed, and another text is not', async () => {
  const checkpoints = await checkpointsOf(newLog(), 'a', 'b')
  const { note, size } = await checkpoints.make()
  expect(note).toMatch(/^shop\.example\/log\n2\n[\w+/]{43}=\n\n— shop\.example\/log [\w+/]+=*\n$/)
  expect(size).toBe(2)
  expect(verifier.isSignedBy(noteOf(note))).toBe(true)
  expect(verifier.isSignedBy(noteOf(note.replace('\n2\n', '\n3\n')))).toBe(false)
  const other = verifierOf(signerOf(newSigningKey('shop.example/log')).verifier)
  expect(other.isSignedBy(noteOf(note))).toBe(false)
})

test('[L12] the head of each thread is proven, a later checkpoint goes on from an earlier, and forged ones are refused', async () => {
  const log = newLog()
  const checkpoints = await checkpointsOf(log, 'a', 'b', 'c')
  const notes = [(await checkpoints.make()).note]
  for (let round = 0; round < 100; round++) {
    await log.append(`t${round % 7}`, [event])
    notes.push((await checkpoints.make()).note)
  }
  for (const thread of ['a', 'b', 'c', 't0', 't6']) {
    const { seq, hash, index, hashes, checkpoint } = await checkpoints.prove(thread)
    expect(seq).toBe(await log.head(thread))
    const { size, root } = treeIn(checkpoint)
    const proven = { index, size, hashes: bytes(hashes) }
    const leafOf = (of: string) => leafHash(leafText({ thread, seq, hash: of }))
    expect(rootOfInclusion({ leaf: leafOf(hash), ...proven })).toEqual(root)
    expect(rootOfInclusion({ leaf: leafOf('0'.repeat(64)), ...proven })).not.toEqual(root)
  }
  const last = treeIn(notes.at(-1) ?? '')
  for (const note of notes) {
    const from = treeIn(note)
    const hashes = bytes(await checkpoints.consistency(from.size, last.size))
    expect(isConsistent({ from, to: last, hashes })).toBe(true)
    const forged = { ...from, root: leafHash('forged') }
    expect(isConsistent({ from: forged, to: last, hashes })).toBe(false)
  }
  await expect(checkpoints.consistency(5, last.size + 1)).rejects.toMatchObject({
    code: 'unknown_size',
  })
  await expect(checkpoints.prove('none')).rejects.toMatchObject({ code: 'unknown_thread' })
})

test('nothing is signed again while no thread moves, and another server goes on from what is stored', async () => {
  const log = newLog()
  const one = await checkpointsOf(log, 'a', 'b')
  const first = await one.make()
  const head = await log.head(CHECKPOINTS)
  expect(await one.make()).toEqual(first)
  const other = new Checkpoints({ log, signer })
  expect(await other.make()).toEqual(first)
  expect(await log.head(CHECKPOINTS)).toBe(head)
  await log.append('a', [event])
  // Both at once: no leaf twice, and one tree.
  const both = await Promise.all([one.make(), other.make()])
  expect(both[0]).toEqual(both[1])
  expect(both[0]?.size).toBe(3)
})

test('threads with the longest names fit on record', async () => {
  const ids = Array.from({ length: CHECKPOINT_HEADS_MAX }, (_, at) => String(at))
  const names = ids.map((id) => id.padStart(THREAD_CHARS_MAX, '界'))
  const { size } = await (await checkpointsOf(newLog(), ...names)).make()
  expect(size).toBe(CHECKPOINT_HEADS_MAX)
})

test('a history that was written anew does not go on from an earlier checkpoint', async () => {
  const log = newLog()
  const { note } = await (await checkpointsOf(log, 'a', 'b')).make()
  const forged = await checkpointsOf(newLog(), 'a', 'x', 'b')
  const { size, note: newer } = await forged.make()
  const hashes = bytes(await forged.consistency(2, size))
  expect(isConsistent({ from: treeIn(note), to: treeIn(newer), hashes })).toBe(false)
})

function witnessed() {
  let state: WitnessState | undefined
  const witness = new Witness({
    signer: signerOf(newSigningKey('witness.example')),
    log: verifier,
    now: () => 1_700_000_000_000,
    load: () => state,
    save: (next) => (state = next),
  })
  return { witness, known: () => state }
}

test('[L12] a witness signs what goes on from what it has signed, and nothing else', async () => {
  const log = newLog()
  const checkpoints = await checkpointsOf(log, 'a', 'b')
  const { witness, known } = witnessed()
  const { note, size } = await checkpoints.make()
  const first = witness.add(addCheckpointIn(addCheckpointBody({ old: 0, proof: [], note })))
  expect(first).toMatchObject({ status: 'signed' })
  expect(known()?.size).toBe(size)
  await log.append('c', [event])
  const next = await checkpoints.make()
  const proof = await checkpoints.consistency(size, next.size)
  expect(witness.add({ old: 0, proof, note: next.note })).toEqual({ status: 'stale', size })
  expect(() => witness.add({ old: size, proof: [], note: next.note })).toThrow('does not go on')
  const forged = await (await checkpointsOf(newLog(), 'x', 'y', 'z')).make()
  expect(() => witness.add({ old: size, proof, note: forged.note })).toThrow('does not go on')
  expect(() =>
    witness.add({ old: size, proof, note: next.note.replace('— shop.', '— stop.') }),
  ).toThrow('is not signed by')
  const signed = witness.add({ old: size, proof, note: next.note })
  expect(signed.status).toBe('signed')
  const line = signed.status === 'signed' ? signed.line : ''
  await checkpoints.keep(line, next.size)
  await checkpoints.keep(line, next.size)
  const kept = noteOf((await checkpoints.make()).note)
  expect(kept.signatures.map(({ name }) => name)).toEqual(['shop.example/log', 'witness.example'])
})

test('what is no key, note or request is named', () => {
  for (const key of [
    '',
    'PRIVATE+KEY+a+00000000+AAAA',
    KEY.replace('+KEY+', '+key+'),
    'x'.repeat(80),
  ])
    expect(() => signerOf(key)).toThrow('it is no Ed25519 key of signed notes')
  expect(() => verifierOf(KEY)).toThrow('NAME+ID+KEY')
  expect(() => newSigningKey('a b')).toThrow('a name without blanks')
  for (const note of ['', 'a\n1\nx\n', '\n\n— a AAAA\n', `${'x'.repeat(20_000)}\n\n— a AAAAAAAA\n`])
    expect(() => noteOf(note)).toThrow('it is no signed note')
  expect(() => addCheckpointIn('older 5\n\nx')).toThrow('give "old SIZE"')
})
