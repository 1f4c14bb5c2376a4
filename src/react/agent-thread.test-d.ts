import { expectTypeOf } from 'vitest'
import type { RunTree, Wait } from '../activity/index.ts'
import type { ClientError } from '../client/index.ts'
import { useAgentThread } from './index.ts'
import type { RequestResult } from './index.ts'

const thread = useAgentThread({ thread: 't1', base: '/api', role: 'responder', depth: 1 })
useAgentThread({ url: '/api/threads/t1', headers: () => ({ authorization: 'Bearer x' }) })

expectTypeOf(thread.tree).toEqualTypeOf<RunTree>()
expectTypeOf(thread.questions[0]?.waits).toEqualTypeOf<readonly Wait[] | undefined>()
expectTypeOf(thread.phase).toEqualTypeOf<'opening' | 'opened' | 'absent'>()
expectTypeOf(thread.error).toEqualTypeOf<ClientError | undefined>()
expectTypeOf(thread.ask('clerk', 'Go')).toEqualTypeOf<Promise<RequestResult>>()
expectTypeOf(thread.cancel()).toEqualTypeOf<Promise<RequestResult>>()
void thread.ask('clerk', undefined, [{ type: 'reported', data: { room: 4 } }])
void thread.answer('r1', { approved: true })

for (const { request, state } of thread.pending) {
  if (request.kind === 'answer') expectTypeOf(request.run).toBeString()
  if (state.status === 'failed') expectTypeOf(state.error).toEqualTypeOf<ClientError>()
}

// @ts-expect-error a thread is named by its address or by its id
useAgentThread({ role: 'responder' })
// @ts-expect-error an answer is JSON
void thread.answer('r1', { when: new Date() })
// @ts-expect-error what the stream shows is not written
thread.tree.turns.length = 0
