import { ApplicationError } from './app-error.ts'
import type { OpenedApp } from './opened-app.ts'

/** Folds a thread anew, and replaces a kept state that differs; tells `onFault` of it. */
export async function checkFold(
  thread: string,
  owner: OpenedApp | undefined,
  onFault: (error: unknown, thread: string) => void,
): Promise<void> {
  try {
    if (!owner || (await owner.gate.verifyFold(thread))) return
    throw new ApplicationError(
      'fold_differs',
      `Cannot use the kept state of "${thread}": its records give another one`,
    )
  } catch (error) {
    // Its records are sound all the same.
    onFault(error, thread)
  }
}
