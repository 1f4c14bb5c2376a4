import type { Holding, Holdings } from './holdings.ts'

const noWait = new AbortController()
noWait.abort()

/**
 * Holds a thread whose lease is free or held by this process.
 *
 * @throws {@link LogError} `busy` while another process holds it
 */
export function holdNow(holdings: Pick<Holdings, 'hold'>, thread: string): Promise<Holding> {
  return holdings.hold(thread, noWait.signal)
}
