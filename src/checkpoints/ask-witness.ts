import type { Checkpoints, SignedCheckpoint } from './checkpoints.ts'
import { CheckpointError } from './checkpoint-error.ts'
import { noteOf } from './signed-note.ts'
import { addCheckpointBody } from './witness.ts'

/** How long a witness may take: who asks for a checkpoint waits for it. */
export const WITNESS_TIMEOUT_MS = 3_000
/** Characters of the answer of a witness. */
export const WITNESS_ANSWER_CHARS_MAX = 4_096

/**
 * Has a witness sign a checkpoint, by C2SP's tlog-witness: it answers 409 with the size of the last one that it has
 * signed, and gets a proof from there. Returns the lines of its signatures.
 *
 * @throws {@link CheckpointError} `not_witnessed`
 */
export async function askWitness(
  address: string,
  { size, note }: SignedCheckpoint,
  checkpoints: Pick<Checkpoints, 'consistency'>,
): Promise<string> {
  const url = new URL('add-checkpoint', address.endsWith('/') ? address : `${address}/`)
  const ask = async (old: number) => {
    const proof = await checkpoints.consistency(old, size)
    const answer = await fetch(url, {
      method: 'POST',
      body: addCheckpointBody({ old, proof, note }),
      signal: AbortSignal.timeout(WITNESS_TIMEOUT_MS),
      redirect: 'error',
    })
    return { status: answer.status, text: await beginningOf(answer) }
  }
  const first = await ask(0)
  const known = Number(first.text.trim())
  const isBehind = first.status === 409 && Number.isSafeInteger(known) && known <= size
  const { status, text } = isBehind ? await ask(known) : first
  if (status === 200) return signatureLines(note, text)
  const why = `${url.origin} answered ${status}: ${text.split('\n')[0]?.slice(0, 200) ?? ''}`
  throw new CheckpointError('not_witnessed', `Cannot have the checkpoint witnessed: ${why}`)
}

/** A witness may send without an end. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > WITNESS_ANSWER_CHARS_MAX) break
  }
  return text.slice(0, WITNESS_ANSWER_CHARS_MAX)
}

/** Only whole lines of signatures are taken: what a witness sends stands in the note. */
function signatureLines(note: string, given: string): string {
  if (noteOf(`${note}${given}`).text === noteOf(note).text) return given
  const why = 'its answer is more than signatures'
  throw new CheckpointError('not_witnessed', `Cannot have the checkpoint witnessed: ${why}`)
}
