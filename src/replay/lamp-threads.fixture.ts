import { lamp, switchOn } from '../domain/lamp.fixture.ts'
import { defineAgent } from '../agents/index.ts'
import { Throughline, defineApp } from '../application/index.ts'
import type { Domain } from '../domain/index.ts'
import type { LogRecord } from '../log/index.ts'
import { scriptedModel } from '../models/index.ts'
import { sha256, uuidv7 } from '../platform/index.ts'
import { memoryLog, recordsOf } from '../../test/memory-log.fixture.ts'

export const lampLog = () => memoryLog({ now: () => 1 })

/** A lamp with an electrician, whose turns end with the rules that start work. */
export function lampApp(domain: Domain<never> = lamp as never, watts = 30) {
  const electrician = defineAgent({
    name: 'electrician',
    domain: domain as unknown as typeof lamp,
    surface: 'wall',
    submits: true,
    emits: ['switch_on'],
    model: scriptedModel(
      () =>
        `Done. <agent-event type="switch_on" data='{"watts":${watts}}' /> ` +
        `<agent-event type="replace" data='{}' /> <agent-event type="switch_on" data='{' />`,
    ),
  })
  return defineApp({
    name: 'lamp',
    domain: domain as unknown as typeof lamp,
    agents: [electrician],
  })
}

/** The records of a thread with clicks, a turn, refusals of all kinds, and rules of both kinds. */
export async function lampThread(log = lampLog()): Promise<readonly LogRecord[]> {
  const app = lampApp()
  const tl = await Throughline.start({ log, apps: [app], now: () => 1, id: uuidv7, sha256 })
  const wall = tl.as({ source: 'ui', surface: 'wall', actor: 'ann' })
  const click = (watts: unknown) => ({ type: 'switch_on', data: switchOn(watts).data })
  await wall.propose('t', [click(20), click('none'), click(20)] as never)
  await tl.turn('t', { agent: 'electrician', input: 'More light' } as never).result
  await wall.propose('t', [click(90)] as never)
  await wall.propose('t', [click(5)] as never)
  await tl.turn('t', { agent: 'electrician', input: 'It is dark' } as never).result
  await tl.drain(0)
  return recordsOf(log)
}

/** The lamp with another event type. */
export function lampWith<Type extends string>(
  type: Type,
  change: (entry: never) => object | undefined,
): Domain<never> {
  const events = new Map(lamp.events as ReadonlyMap<string, object>)
  const entry = events.get(type)
  const changed = change(entry as never)
  if (changed) events.set(type, { ...entry, ...changed })
  else events.delete(type)
  return { ...lamp, events } as unknown as Domain<never>
}
