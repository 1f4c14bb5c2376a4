import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { answer, openDesk, settled, sha256 } from '../due-work/due-work.fixture.ts'
import { Runs } from './index.ts'
import { calling, expectWhole, replies } from './runs.fixture.ts'

const YEAR_MS = 365.25 * 86_400_000
const NOW = 1_000_000
const DONE = ['done k', 'failed page k 1 failed', 'requested page k', 'rung a']

test.each([
  ['forward', [3 * YEAR_MS]],
  ['back', [-3 * YEAR_MS]],
  ['forward and back', [5 * YEAR_MS, -5 * YEAR_MS]],
  ['back and forward', [-9 * YEAR_MS, 9 * YEAR_MS]],
])(
  '[D16] a clock that jumps %s by years in a turn loses nothing and repeats nothing',
  async (_, jumps) => {
    const { log, gate, clock, click, trace, state, faults } = openDesk()
    const left = [...jumps]
    const jump = tool({
      inputSchema: z.object({}),
      execute: async () => {
        clock.jump(left.shift() ?? 0)
        return 'jumped'
      },
    })
    const model = replies(calling(['jump']), { toolCalls: [{ name: 'jump', input: {} }] }, 'Done')
    let attempts = 0
    const page = {
      retry: { attempts: 3, backoffMs: 1_000 },
      run: ({ key }: { key: string }) => {
        if (++attempts === 1) throw new Error('no line')
        return { type: 'done', data: { effect: 'page', key } }
      },
    }
    const runs = new Runs({
      gate,
      log,
      agents: [defineAgent({ name: 'A', surface: 'desk', model, tools: { jump } })],
      effects: { page, mail: answer('mail') },
      clock,
      id: randomUUID,
      sha256,
      retryDelayMs: 0,
      threadLimits: { tokensPerDay: 1_000_000 },
      onFault: (error) => faults.push(error),
    })
    await click('alarm', { at: NOW + 60_000, key: 'a', as: 'rung' })
    runs.wake('t')
    const events = [{ type: 'want', data: { effect: 'page', key: 'k' } }]
    const turn = runs.start('t', { agent: 'A', input: 'Go', key: 'x', events })
    expect(await turn.result).toMatchObject({ reason: 'success', text: 'Done' })
    await settled()
    // A person sets the clock right, and the time of the alarm and of the retry has passed.
    clock.jump(NOW + 120_000 - clock.now())
    for (let day = 0; day < 3; day++) {
      clock.advance(86_400_000)
      await settled()
    }
    expect(await state()).toMatchObject({ rung: ['a'], done: ['page k'] })
    const work = (await trace()).filter((line) => /^(done|failed|requested|rung) /.test(line))
    expect(work.toSorted()).toEqual(DONE)
    expect([attempts, faults]).toEqual([2, []])
    const again = runs.start('t', { agent: 'A', input: 'Go', key: 'x', events })
    expect(await again.result).toMatchObject({ reason: 'success', text: 'Done' })
    expect(attempts).toBe(2)
    await expectWhole(log)
  },
)
