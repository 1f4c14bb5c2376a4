import { isAgent } from '../../agents/index.ts'
import type { Agent } from '../../agents/index.ts'
import type { App } from '../../application/index.ts'
import { defineApp } from '../../application/index.ts'
import type { Domain } from '../../domain/index.ts'
import { appsIn, isDomain } from '../../replay/index.ts'

/**
 * The applications that a module exports, or else one of its agents, with its domain where it exports one.
 *
 * @throws {@link AgentError} `invalid_agent`, {@link ApplicationError} `invalid_app`
 */
export function appsOf(module: Readonly<Record<string, unknown>>): readonly App[] {
  const apps = appsIn(module)
  if (apps.length > 0) return apps
  const exported = [...new Set(Object.values(module))]
  const agents = exported.filter(isAgentOf)
  const domains: readonly Domain<unknown>[] = exported.filter(isDomain)
  const [domain] = domains
  if (agents.length === 0 || domains.length > 1) return []
  // As `open` names the one application of a program.
  return [defineApp({ name: 'main', agents, ...(domain && { domain }) }) as unknown as App]
}

function isAgentOf(value: unknown): value is Agent<unknown> {
  return typeof value === 'object' && value !== null && 'agents' in value && isAgent(value)
}
