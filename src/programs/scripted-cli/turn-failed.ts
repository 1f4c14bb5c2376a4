/** A turn that does not end well, with what its result line says. */
export class TurnFailed extends Error {
  override readonly name = 'TurnFailed'
  readonly result: Readonly<Record<string, unknown>>

  constructor(message: string, result: Readonly<Record<string, unknown>>) {
    super(message)
    this.result = result
  }
}

export function interrupted(): TurnFailed {
  return new TurnFailed('', {
    subtype: 'error_during_execution',
    is_error: true,
    terminal_reason: 'aborted_streaming',
    errors: ['Request was aborted'],
  })
}

/** A provider that fails: the subtype is "success", as the real CLI has it. */
export function providerFailed(message: string): TurnFailed {
  return new TurnFailed(message, {
    subtype: 'success',
    is_error: true,
    terminal_reason: 'api_error',
  })
}
