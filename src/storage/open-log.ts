import type { EventLog } from '../log/index.ts'
import { openEngine } from './open-engine.ts'
import type { OpenLogOptions } from './open-engine.ts'

/** @throws {@link LogError} `configuration`, `locked`, `corrupt`, `storage_full`, `io` */
export async function openLog(url: string, options: OpenLogOptions = {}): Promise<EventLog> {
  return (await openEngine(url, options)).log
}
