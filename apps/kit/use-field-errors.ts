import { useState } from 'react'
import type { FieldError } from './error-summary.tsx'

export interface FieldErrors {
  readonly errors: readonly FieldError[]
  /** Shows all that is wrong now, and gives whether that is nothing. */
  readonly check: () => boolean
}

/**
 * What a form was told to be wrong when it was last sent, less what has been mended since; `found` is
 * what is wrong with it now.
 */
export function useFieldErrors(found: readonly FieldError[]): FieldErrors {
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const left = errors.filter(({ field }) => found.some((each) => each.field === field))
  if (left.length < errors.length) setErrors(left)
  const check = (): boolean => {
    setErrors(found)
    return found.length === 0
  }
  return { errors: left, check }
}
