/** The oldest Node that the library runs on: major and minor version. */
const OLDEST_NODE = [22, 18] as const

/** Returns what to do when this Node is too old, and undefined when it is not, or in a browser. */
export function nodeTooOld(
  version: string | undefined = globalThis.process?.versions?.node,
): string | undefined {
  if (version === undefined) return undefined
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldest, oldestMinor] = OLDEST_NODE
  const isTooOld = major < oldest || (major === oldest && minor < oldestMinor)
  return isTooOld
    ? `Cannot run on Node ${version}: it needs Node ${OLDEST_NODE.join('.')} or later; install a newer one`
    : undefined
}
