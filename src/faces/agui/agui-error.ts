/** A stream of AG-UI events that cannot go on where its reader asks. */
export class AguiError extends Error {
  override readonly name = 'AguiError'
  readonly code = 'unknown_position'
}

export function unknownPosition(id: string): AguiError {
  return new AguiError(
    `Cannot go on after "${id.slice(0, ID_CHARS_SHOWN)}": the run has no such frame`,
  )
}

const ID_CHARS_SHOWN = 40
