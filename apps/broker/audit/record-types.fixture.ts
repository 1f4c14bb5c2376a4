import { globSync, readFileSync } from 'node:fs'
import { EventType } from '@ag-ui/core'
import { domain } from '../case/given-case.fixture.ts'
import { NOTED } from '../webhooks/outbox.ts'

const ROOMS =
  '{src/{activity,agents,application,due-work,gate,programs,server,step},apps/broker/{case,routes,webhooks}}/**/*.ts'

/**
 * Returns the names of all types of records: the domain's event types, and the literals in the sources
 * of the rooms that append. A `CUSTOM` record counts by its `throughline.` name.
 */
export function recordNames(): readonly string[] {
  const text = globSync(ROOMS)
    .filter((file) => !/\.(test|test-d|fixture|contract)\.ts$/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const literals = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
  const agents = new Set<string>(Object.values(EventType))
  const custom = [...literals(/custom(?:Event|Tagged)\(\s*'(\w+)'/g), ...Object.values(NOTED)]
  const names = new Set([
    ...domain.events.keys(),
    ...literals(/\btype: '([a-z_]+)',\s*data\b/g),
    ...literals(/'([a-z_]+)' satisfies LibraryRecord\b/g),
    ...literals(/'([A-Z_]+)'/g).filter((name) => agents.has(name) && name !== 'CUSTOM'),
    ...custom.map((name) => `throughline.${name}`),
  ])
  return [...names].toSorted()
}
