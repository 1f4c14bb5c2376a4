import { onTestFinished } from 'vitest'
import { serveBroker } from './served-broker.fixture.ts'
import type { ServedBroker, Setting } from './served-broker.fixture.ts'

/** Serves the broker until the test ends. */
export async function testBroker(setting: Setting = {}): Promise<ServedBroker> {
  const broker = await serveBroker(setting)
  onTestFinished(() => broker.close())
  return broker
}
