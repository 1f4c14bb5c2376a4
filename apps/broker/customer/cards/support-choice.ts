/** The value of the tick "None of these". It is not an indicator. */
export const NONE = 'none'

/** The ticks after a change: "None of these" and the others exclude each other. Pure. */
export function afterTick(before: readonly string[], after: readonly string[]): readonly string[] {
  const isNewlyNone = after.includes(NONE) && !before.includes(NONE)
  return isNewlyNone ? [NONE] : after.filter((each) => each !== NONE || after.length === 1)
}

/** The indicators among the ticks, as they are recorded. Pure. */
export function indicatorsOf(ticked: readonly string[]): readonly string[] {
  return ticked.filter((each) => each !== NONE)
}
