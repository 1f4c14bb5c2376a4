import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { brokenPromise } from '../../test/durability/promises.fixture.ts'
import { programArguments } from '../../test/program.fixture.ts'
import { timesInTier } from '../../test/tier.fixture.ts'
import { openLog } from './open-log.ts'
import { counted, freshPath, recordsOf } from './sqlite-folder.fixture.ts'

type Writer = ChildProcessByStdio<null, Readable, null>

/** Writers that are killed at the same time, each on a log of its own, and how often each is. */
const LANES = 3
const KILLS_PER_LANE = timesInTier({ quick: 5, full: 67 })
const RUN_MAX_MS = 40

test(
  '[D1] [L10] killed writers leave what they acknowledged, once, anchored, in chains that verify',
  async ({ annotate }) => {
    const lanes = Array.from({ length: LANES }, () => killAgainAndAgain(freshPath()))
    const all = await Promise.all(lanes)
    const kills = LANES * KILLS_PER_LANE
    const broken = all.flatMap((lane) => lane.broken)
    const acknowledged = all.reduce((sum, lane) => sum + lane.acknowledged, 0)
    expect(broken).toEqual([])
    expect(acknowledged).toBeGreaterThan(kills)
    const of = `${kills} kills, ${acknowledged.toLocaleString('en')} events acknowledged`
    await annotate(`${broken.length} times something lost, doubled or broken: ${of}`, 'promise')
  },
  KILLS_PER_LANE * 20_000,
)

/** Ends with the first broken rule, if there is one: the test stops there. */
async function killAgainAndAgain(path: string) {
  const acknowledged: string[] = []
  for (let kill = 0; kill < KILLS_PER_LANE; kill++) {
    const heard = await runAndKill(path, (RUN_MAX_MS * kill) / KILLS_PER_LANE)
    acknowledged.push(...heard)
    const found = (await brokenPromise(path, acknowledged)) ?? (await unanchored(path, heard))
    if (found !== undefined) return { acknowledged: acknowledged.length, broken: [found] }
  }
  return { acknowledged: acknowledged.length, broken: [] }
}

/** A record that was acknowledged before the kill, and that no head vouches for. */
async function unanchored(path: string, heard: readonly string[]): Promise<string | undefined> {
  const log = await openLog(`sqlite:${path}`)
  const anchored = new Map<string, number>()
  for await (const { thread, anchored: head } of log.verifyAll()) {
    anchored.set(thread, head?.seq ?? -1)
  }
  await log.close()
  const found = heard.find((line) => {
    const [thread = '', seq] = line.split(' ')
    return Number(seq) > (anchored.get(thread) ?? -1)
  })
  return found && `no head vouches for ${found}`
}

test('[D11] a second process is refused, and let in once the first was killed', async ({
  annotate,
}) => {
  const path = freshPath()
  const writer = start(path)
  await once(writer.stdout, 'data')
  const refused: unknown[] = []
  const starts = 5
  for (let n = 0; n < starts; n++) {
    await openLog(`sqlite:${path}`).catch((error: unknown) => refused.push(error))
  }
  expect(refused).toHaveLength(starts)
  for (const error of refused) {
    expect(error).toMatchObject({
      code: 'locked',
      message: expect.stringContaining('another process is writing to it') as string,
    })
  }
  await annotate(`${refused.length} of ${starts} starts on a file in use refused`, 'promise')
  await end(writer)
  await (await openLog(`sqlite:${path}`)).close()
})

test('[D11] a second log in one process is refused, and let in once the first was closed', async () => {
  const url = `sqlite:${freshPath()}`
  const log = await openLog(url)
  await expect(openLog(url)).rejects.toMatchObject({ code: 'locked' })
  await log.append('t', counted(0, 1))
  await log.close()
  await (await openLog(url)).close()
})

test('[D11] a writer whose lock was taken away cannot append after another took over', async () => {
  const path = freshPath()
  let fatal: string | undefined
  const old = await openLog(`sqlite:${path}`, { onFatal: ({ code }) => void (fatal = code) })
  await old.append('t', counted(0, 3))
  rmSync(`${path}.lock`)
  const successor = await openLog(`sqlite:${path}`)
  await successor.append('t', counted(3, 5))
  await expect(old.append('t', counted(5, 9))).rejects.toMatchObject({ code: 'locked' })
  await expect.poll(() => fatal).toBe('locked')
  await expect(old.append('u', counted(0, 1))).rejects.toMatchObject({ code: 'locked' })
  expect(await recordsOf(old, 't')).toHaveLength(5)
  expect(await successor.verify('t')).toMatchObject({ ok: true, head: 4, unanchored: 0 })
  expect(await successor.threads()).toEqual(['t'])
  expect(await successor.append('t', counted(5, 6))).toMatchObject([{ seq: 5 }])
  await old.close()
  await successor.close()
})

function start(path: string): Writer {
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit']
  return spawn(process.execPath, [...programArguments('append-for-a-while'), path], { stdio })
}

async function runAndKill(path: string, afterMs: number): Promise<string[]> {
  const writer = start(path)
  let printed = ''
  writer.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
  await once(writer.stdout, 'data')
  await setTimeout(afterMs)
  await end(writer)
  // The last line may be cut.
  return printed.split('\n').slice(0, -1)
}

async function end(writer: Writer): Promise<void> {
  const closed = once(writer, 'close')
  expect(writer.kill('SIGKILL')).toBe(true)
  expect(await closed).toEqual([null, 'SIGKILL'])
}
