import { PAGES } from '../../apps/compose.ts'
import { MODEL_RETRY_DELAY_MS } from '../../src/step/index.ts'
import { serveBroker } from '../../apps/broker/journeys/served-broker.fixture.ts'
import type { Setting } from '../../apps/broker/journeys/served-broker.fixture.ts'

/** The broker with a model of the test's own, and its pages as they were built into a folder. */
export async function servePages({
  folder,
  secret = 'a secret',
  ...setting
}: Pick<Setting, 'model' | 'port' | 'operatorToken' | 'publicUrl' | 'panel' | 'threadLimits'> & {
  readonly folder: string
  readonly secret?: string
}) {
  const pages = { ...PAGES, folder }
  // People see a reply that is being tried again.
  const retryDelayMs = MODEL_RETRY_DELAY_MS
  return serveBroker({ ...setting, secrets: [secret], pages, retryDelayMs })
}
