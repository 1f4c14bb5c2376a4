import { AguiThread } from '../agui-client/index.ts'
import type { AguiThreadOptions } from '../agui-client/index.ts'
import { headersFor } from './role.ts'
import type { RoleOptions } from './role.ts'

export type { AguiThread, AguiThreadOptions, AguiThreadView } from '../agui-client/index.ts'

/** A thread of an AG-UI agent for a page that has a role. */
export function openAguiThread(options: AguiThreadOptions & RoleOptions): AguiThread {
  return new AguiThread({ ...options, headers: () => headersFor(options) })
}
