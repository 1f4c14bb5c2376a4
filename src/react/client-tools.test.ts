import { expect, test, vi } from 'vitest'
import type { Wait, WaitingTurn } from '../activity/index.ts'
import { ClientTools } from './client-tools.ts'
import type { ClientToolRunners } from './client-tools.ts'

const call = (toolName: string, id: string, reason: Wait['reason'] = 'client_tool') => ({
  id,
  reason,
  toolName,
  toolCallId: `call ${id}`,
  arguments: '{"of":"roof"}',
})

function asked(...waits: readonly ReturnType<typeof call>[]): readonly WaitingTurn[] {
  // Of a question only these members are read.
  return [{ run: 'r1', waits } as unknown as WaitingTurn]
}

function running(tools: ClientToolRunners) {
  const answer = vi.fn(() => Promise.resolve({ status: 'accepted', run: 'r2' } as const))
  const page = new ClientTools()
  return {
    answer,
    take: (questions: readonly WaitingTurn[]) => page.take(questions, tools, answer),
  }
}

test('the calls of a page’s tools are run once, and answered together', async () => {
  const photo = vi.fn(() => Promise.resolve({ taken: true }))
  const { answer, take } = running({ photo, place: () => 'Bern' })
  const questions = asked(call('photo', 'w1'), call('place', 'w2'))
  take(questions)
  take([...questions])
  await vi.waitFor(() =>
    expect(answer.mock.calls).toEqual([['r1', { 'call w1': { taken: true }, 'call w2': 'Bern' }]]),
  )
  expect(photo.mock.calls).toEqual([[{ of: 'roof' }]])
})

test('a tool that fails answers with why', async () => {
  const { answer, take } = running({ photo: () => Promise.reject(new Error('No camera')) })
  take(asked(call('photo', 'w1')))
  await vi.waitFor(() =>
    expect(answer.mock.calls).toEqual([['r1', { 'call w1': { error: 'No camera' } }]]),
  )
})

test.each([
  ['for a person as well', asked(call('photo', 'w1'), call('pay', 'w2', 'tool_approval'))],
  ['for a tool that the page does not have', asked(call('toString', 'w1'))],
])('a turn that waits %s is left alone', async (_what, questions) => {
  const photo = vi.fn(() => 'a photo')
  const { answer, take } = running({ photo })
  take(questions)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(photo).not.toHaveBeenCalled()
  expect(answer).not.toHaveBeenCalled()
})
