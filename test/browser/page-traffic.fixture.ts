import type { CDPSession, Page } from 'playwright-core'

export interface Transfer {
  readonly path: string
  readonly startedAt: number
  /** Absent while the response is still open, as a stream's is. */
  endedAt?: number
  /** Headers and body of the response, as they were sent. */
  bytes: number
}

/** Collects what Chromium receives for a page. Call it before the page is opened. */
export async function watchTraffic(page: Page) {
  const session = await page.context().newCDPSession(page)
  const transfers = new Map<string, Transfer>()
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    const path = new URL(request.url).pathname
    transfers.set(requestId, { path, startedAt: timestamp, bytes: 0 })
  })
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const transfer = transfers.get(requestId)
    if (transfer) transfer.bytes += response.encodedDataLength
  })
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const transfer = transfers.get(requestId)
    if (transfer) transfer.bytes += encodedDataLength
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const transfer = transfers.get(requestId)
    if (transfer) Object.assign(transfer, { bytes: encodedDataLength, endedAt: timestamp })
  })
  await session.send('Network.enable')
  // Another test may have loaded the same files.
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  return { session, transfers: () => [...transfers.values()] }
}

export async function slowDown(
  session: CDPSession,
  { latencyMs, bytesPerSecond }: { readonly latencyMs: number; readonly bytesPerSecond: number },
): Promise<void> {
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
}

/** The longest chain of requests of which each began after the one before had ended. */
export function longestChain(transfers: readonly Transfer[]): string[] {
  let chain: string[] = []
  let endOfLast = -Infinity
  const finished = (transfer: Transfer) => transfer.endedAt ?? Infinity
  for (const transfer of transfers.toSorted((a, b) => finished(a) - finished(b))) {
    if (transfer.startedAt < endOfLast) continue
    chain = [...chain, transfer.path]
    endOfLast = finished(transfer)
  }
  return chain
}
