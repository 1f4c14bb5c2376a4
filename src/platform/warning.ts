/** Warns the operator of the process, or the reader of the browser's console. */
export function emitWarning(message: string): void {
  const { process } = globalThis
  // A bundle may find no `process`.
  if (process?.emitWarning) process.emitWarning(message)
  // oxlint-disable-next-line no-console
  else console.warn(message)
}
