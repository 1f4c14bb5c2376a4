import { WireError } from '../wire/index.ts'
import { ProgramError } from './program-error.ts'

/** Why a program's stream failed; undefined for an error that is not the program's, such as a lost lease. */
export function failureOf(error: unknown, signal: AbortSignal): ProgramError | undefined {
  if (signal.aborted) {
    return new ProgramError('cancelled', 'The run was stopped', { cause: error })
  }
  if (error instanceof ProgramError) return error
  if (error instanceof WireError) {
    return new ProgramError(error.code, error.message, { cause: error })
  }
  return undefined
}
