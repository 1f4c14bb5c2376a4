import type { EventLog } from 'throughline/log'
import { faultsAfter, runFaults } from '../models/crash-points.fixture.ts'
import { effectsEnded, serveAgain } from '../programs/recovery.fixture.ts'
import type { RecoveryScene } from '../programs/recovery.fixture.ts'
import { restarted } from '../../src/log/restarted-log.fixture.ts'
import { runTwoTurns } from '../programs/two-turns.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

/** Starts a server over what killed starts have left, asks for both turns again, and returns the faults. */
export async function faultsOfNextStart(
  scene: RecoveryScene,
  world: readonly string[],
): Promise<readonly string[]> {
  const log = restarted(scene.log)
  const faults: string[] = []
  const server = await serveAgain({ ...scene, log })
  for (const thread of ['case', 'desk']) {
    faults.push(...runFaults(await recordsOf(log, thread)).map((fault) => `at the start ${fault}`))
  }
  const health = await fetch(`${server.url}/api/health`, { headers: { connection: 'close' } })
  if (health.status !== 200) faults.push(`health is ${health.status}`)
  await effectsEnded(log)
  await server.close()
  await runTwoTurns(scene)
  faults.push(...(await faultsAfter(log, world)), ...(await lostOf(log, world)))
  return faults
}

/** The acknowledged records that are not in the log, or at another place. */
async function lostOf(log: EventLog, world: readonly string[]): Promise<readonly string[]> {
  const lost: string[] = []
  for (const line of world.filter((each) => each.startsWith('held '))) {
    const [, seq, id = '', thread = ''] = line.split(' ')
    if (String((await log.find(thread, id))?.seq) !== seq) lost.push(`lost: ${line}`)
  }
  return lost
}
