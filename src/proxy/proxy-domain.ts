import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Domain } from '../domain/index.ts'
import { thrownMessage } from '../json/index.ts'
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
  const { domain, stateEvents, state = (each: Json) => each } = await exportsOf(module)
  if (typeof stateEvents === 'function' && typeof state === 'function' && domain?.events) {
    return { domain, state, stateEvents }
  }
  const mend = '`domain` and `stateEvents`, and `state` where the agent gets another state'
  throw unusable(module, `let it export ${mend}`)
}

async function exportsOf(module: string): Promise<Partial<ProxyDomain>> {
  try {
    // A program without types may export anything.
    return (await import(pathToFileURL(resolve(module)).href)) as Partial<ProxyDomain>
  } catch (error) {
    throw unusable(module, `it cannot be loaded: ${thrownMessage(error)}`)
  }
}

function unusable(module: string, why: string): LogError {
  return new LogError('configuration', `Cannot use "${module}" for --state-events: ${why}`)
}
