import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Domain } from '../domain/index.ts'
import type { Json } from '../json/index.ts'
import { LogError } from '../log/index.ts'
import type { StateEvents } from '../programs/index.ts'

/** A domain that holds the agent's state, and how it becomes events. */
export interface ProxyDomain {
  readonly domain: Domain<Json>
  /** The state that the agent and its pages get. */
  readonly state: (state: Json) => Json
  readonly stateEvents: StateEvents<Json>
}

/** @throws {@link LogError} `configuration` */
export async function loadDomain(module: string): Promise<ProxyDomain> {
  // A program without types may export anything.
  const given = (await import(pathToFileURL(resolve(module)).href)) as Partial<ProxyDomain>
  const { domain, stateEvents, state = (each: Json) => each } = given
  if (typeof stateEvents === 'function' && typeof state === 'function' && domain?.events) {
    return { domain, state, stateEvents }
  }
  const mend = '`domain` and `stateEvents`, and `state` where the agent gets another state'
  throw new LogError(
    'configuration',
    `Cannot use "${module}" for --state-events: let it export ${mend}`,
  )
}
