/** The oldest Node that the library runs on. */
const OLDEST_NODE = '22.18'

/** Returns what to do when this Node is too old, and undefined when it is not, or in a browser. */
export function nodeTooOld(
  version: string | undefined = globalThis.process?.versions?.node,
): string | undefined {
  if (version === undefined || version.localeCompare(OLDEST_NODE, 'en', { numeric: true }) >= 0) {
    return undefined
  }
  return `Cannot run on Node ${version}: it needs Node ${OLDEST_NODE} or later; install a newer one`
}
