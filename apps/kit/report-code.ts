/** The code that the server gave the answer which this page came in, and wrote into its log. */
export function reportCode(): string | undefined {
  const [page] = performance.getEntriesByType('navigation')
  if (!(page instanceof PerformanceNavigationTiming)) return undefined
  const code = page.serverTiming.find(({ name }) => name === 'code')?.description ?? ''
  return code === '' ? undefined : code
}
