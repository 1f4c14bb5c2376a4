/** Reports a broken invariant: a bug in this library or in the code that calls it. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
  readonly code = 'invariant'
}

/** @throws {@link InvariantError} when `condition` is falsy. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}
