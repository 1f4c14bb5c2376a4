import { pathToFileURL } from 'node:url'
import type { App } from '../application/index.ts'
import { thrownMessage } from '../json/index.ts'
import { appsIn } from './definition.ts'
import { ReplayError } from './replay-error.ts'

/**
 * The applications that the module in a file exports; `to` says what for, in the message of an error.
 *
 * @throws {@link ReplayError} `no_definition`
 */
export async function loadApps(path: string, to: string): Promise<readonly App[]> {
  const cannot = (why: string): ReplayError =>
    new ReplayError('no_definition', `Cannot ${to} "${path}": ${why}`)
  let module: Readonly<Record<string, unknown>>
  try {
    module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>
  } catch (error) {
    throw cannot(thrownMessage(error))
  }
  const apps = appsIn(module)
  if (apps.length > 0) return apps
  throw cannot('it exports no application; export what `defineApp` returns')
}
