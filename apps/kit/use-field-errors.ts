import { useState } from 'react'
import type { FieldError } from './error-summary.tsx'

export interface FieldErrors {
  readonly errors: readonly FieldError[]
  /** Shows all that is wrong now, and gives whether that is nothing. */
  readonly check: () => boolean
}

/**
 * The faults of a form when it was last sent, without those corrected since; `found` are
 * its faults now.
 */
export function useFieldErrors(found: readonly FieldError[]): FieldErrors {
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const unmended = errors.filter(({ field }) => found.some((each) => each.field === field))
  // The same list while nothing is mended: a new one takes the focus from the field.
  const left = unmended.length < errors.length ? unmended : errors
  if (left !== errors) setErrors(left)
  const check = (): boolean => {
    setErrors(found)
    return found.length === 0
  }
  return { errors: left, check }
}
