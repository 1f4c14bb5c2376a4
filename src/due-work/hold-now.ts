import type { Holding, Holdings } from '../log/index.ts'

const NO_WAIT = AbortSignal.abort()

/**
 * Holds a thread whose lease is free or held by this process.
 *
 * @throws {@link LogError} `busy` while another process holds it
 */
export function holdNow(
  { holdings }: { readonly holdings: Pick<Holdings, 'hold'> },
  thread: string,
): Promise<Holding> {
  return holdings.hold(thread, NO_WAIT)
}
