import { isAgent } from '../agents/index.ts'
import type { Agent } from '../agents/index.ts'
import type { App } from '../application/index.ts'
import type { Domain } from '../domain/index.ts'

/** What decides: a domain, and the agents that may propose in it. An application is one. */
export interface Definition {
  readonly name: string
  readonly domain: Domain<unknown>
  readonly agents: readonly Agent<unknown>[]
  readonly opens?: readonly string[]
}

/** The definitions that a module exports: its applications, or else its domains. */
export function definitionsIn(module: Readonly<Record<string, unknown>>): readonly Definition[] {
  const exported = [...new Set(Object.values(module))]
  const apps = exported.filter(isApp)
  return apps.length > 0 ? apps : exported.filter(isDomain).map(ofDomain)
}

/** The applications that a module exports. */
export function appsIn(module: Readonly<Record<string, unknown>>): readonly App[] {
  // Made by `defineApp`: nothing else has agents, effects and roles.
  return [...new Set(Object.values(module))].filter(isApp).filter(isWhole) as unknown as App[]
}

function isWhole(value: Definition): boolean {
  return 'effects' in value && 'roles' in value
}

/** A domain alone: its agents are unknown, and none of their turns ends with submitting rules. */
export function ofDomain(domain: Domain<unknown>): Definition {
  return { name: domain.name, domain, agents: [] }
}

export function isDomain(value: unknown): value is Domain<unknown> {
  return hasMap(value, 'events') && Object.hasOwn(value, 'initial')
}

function isApp(value: unknown): value is Definition {
  if (typeof value !== 'object' || value === null || !('domain' in value)) return false
  const { agents } = value as { readonly agents?: unknown }
  return isDomain(value.domain) && Array.isArray(agents) && agents.every(isAgent)
}

function hasMap(value: unknown, name: string): value is object {
  return typeof value === 'object' && value !== null && Reflect.get(value, name) instanceof Map
}
