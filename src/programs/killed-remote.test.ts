import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { killedAfter } from '../../test/programs/killed-program.fixture.ts'
import { timesInTier } from '../../test/tier.fixture.ts'
import { remoteClerk } from '../../test/programs/remote-clerk.fixture.ts'
import { expectWhole } from '../agents/runs.fixture.ts'
import { openLog } from '../storage/index.ts'
import { freshPath } from '../storage/sqlite-folder.fixture.ts'
import { begin, call, framed, loopback, result, text, within } from './loopback.fixture.ts'

const KILLS = timesInTier({ quick: 3, full: 30 })

test(
  '[M7] a process that is killed while a remote agent works: the run ends as interrupted, and no request goes out again',
  async () => {
    const { url, requests } = await loopback(({ input }) => ({
      write: async (response) => {
        begin(response)
        const events = within(input, [
          ...text('m', 'One'),
          { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'helper' },
          ...call('c', 'search'),
          ...text('n', 'Two', { subagentRunId: 's' }),
          result('c', 'found'),
        ])
        for (const event of events.slice(0, -1)) {
          response.write(framed([event]))
          await delay(45)
        }
      },
    }))
    const path = freshPath()
    for (let kill = 0; kill < KILLS; kill++) {
      const key = `kill-${kill}`
      const until = { args: [path, url, key], lines: 2 + (kill % 6) }
      const printed = await killedAfter('remote-until-killed', until)
      expect(printed).toContain('completion_start')
      // Most kills hit a request that is under way; the first ones may come before it.
      const asked = requests.length
      const log = await openLog(`sqlite:${path}`)
      const { runs, gate } = remoteClerk(log, url)
      await runs.recover('t')
      expect((await gate.snapshot('t')).openRuns).toEqual([])
      const again = await runs.start('t', { agent: 'clerk', input: 'Go on', key }).result
      expect(again.error?.code).toBe('interrupted')
      expect(requests).toHaveLength(asked)
      await expectWhole(log)
      await log.close()
    }
    expect(requests.length).toBeGreaterThan(KILLS / 2)
  },
  KILLS * 20_000,
)
