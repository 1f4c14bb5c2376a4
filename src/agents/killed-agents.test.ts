import { expect, test } from 'vitest'
import { killedAfter } from '../../test/programs/killed-program.fixture.ts'
import { timesInTier } from '../../test/tier.fixture.ts'
import { office } from '../../test/programs/office.fixture.ts'
import { openLog } from '../storage/index.ts'
import { freshPath } from '../storage/sqlite-folder.fixture.ts'
import { eventsOf, expectWhole, recordsOf } from './runs.fixture.ts'

const KILLS = timesInTier({ quick: 3, full: 60 })

test(
  '[M7] agents that are killed at any point: each open run is ended once, and the next turn works',
  async () => {
    const path = freshPath()
    for (let kill = 0; kill < KILLS; kill++) {
      // Each time after a few more events of a turn, so that every stage of it is met.
      const lines = 5 + ((kill * 23) % 100)
      const printed = await killedAfter('agents-until-killed', { args: [path], lines })
      expect(printed).toContain('prompt_started')
      const log = await openLog(`sqlite:${path}`)
      const { runs, gate } = office(log)
      const before = (await gate.snapshot('t')).openRuns.length
      await runs.recover('t')
      const { openRuns } = await gate.snapshot('t')
      expect(openRuns).toEqual([])
      const ended = (await recordsOf(log, 't')).filter(({ data }) =>
        JSON.stringify(data).includes('"interrupted"'),
      )
      expect(ended.length).toBeGreaterThanOrEqual(before)
      const turn = runs.start('t', { agent: 'lead', input: 'Still there?' })
      const events = await eventsOf(turn)
      expect(events.at(-1)).toMatchObject({ type: 'turn_end', agent: 'writer', reason: 'success' })
      await expectWhole(log)
      await log.close()
    }
  },
  KILLS * 20_000,
)
