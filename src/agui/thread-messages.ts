import type { Message } from '@ag-ui/core'
import { ThreadEncoder } from '../faces/index.ts'
import type { LogRecord } from '../log/index.ts'
import { appView } from './app-view.ts'
import type { AguiOptions } from './app-view.ts'

/**
 * The messages of a thread, from its first record on, as clients of AG-UI hold them: a tool's result
 * right after the message that holds its call, an open message as far as it has come.
 *
 * @throws {@link ApplicationError} `unknown_role`
 */
export function threadMessages<State>(
  records: readonly LogRecord[],
  options: AguiOptions<State> = {},
): readonly Message[] {
  const encoder = new ThreadEncoder({ view: appView(options), includes: () => true })
  for (const record of records) encoder.take(record)
  return encoder.messages
}
