import type { Throughline } from '../application/index.ts'
import { PLANTED } from './clinic.fixture.ts'

/** A visit with all that {@link PLANTED} names: events, a refusal, a turn that waits for an answer and goes on. */
export async function visit(throughline: Throughline, thread = 't'): Promise<number> {
  const { name, age, email, reason, asked, refusedData, approved } = PLANTED
  const admitted = { name, age, smoker: true, contact: { email }, ward: 'west' }
  await throughline.propose(thread, [
    { type: 'admitted', data: admitted },
    { type: 'visited', data: { reason, paid: 12 } },
    { type: 'moved', data: { [refusedData]: 1 } },
    { type: 'admitted', data: { name, age: refusedData } },
    { type: PLANTED.refusedType, data: { of: refusedData } },
    { type: 'moved', data: { ward: 'north' } },
  ])
  const turn = await throughline.turn(thread, { agent: 'nurse', input: asked }).result
  const values = { approved: true, reason: approved }
  await throughline.resume(thread, { run: turn.run, values }).result
  return throughline.log.head(thread)
}
