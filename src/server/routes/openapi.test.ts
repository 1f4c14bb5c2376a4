import { newSigningKey } from '../../checkpoints/index.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { readFileSync, readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { isJsonObject, membersOf } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import { routes, serve } from '../index.ts'
import type { RoutesOptions } from '../index.ts'
import { open, quiet } from '../mounted-routes.fixture.ts'

const REQUEST = { headers: { host: 'localhost' } }

async function described(options: RoutesOptions = {}) {
  const served = routes(await open(), {
    ...quiet,
    mcp: true,
    metrics: true,
    checkpointKey: newSigningKey('log'),
    ...options,
  })
  onTestFinished(() => served.close())
  const at = `http://localhost${options.prefix ?? ''}/openapi.json`
  const response = await served.fetch(new Request(at, REQUEST))
  return { hono: served.hono, api: (await response.json()) as JsonObject }
}

function pathsOf(api: JsonObject): JsonObject {
  return membersOf(api['paths'] ?? null) as JsonObject
}

test('/openapi.json is a valid description by OpenAPI 3.1', async () => {
  const { api } = await described({ prefix: '/tl' })
  expect(api).toMatchObject({ openapi: '3.1.1', servers: [{ url: '/tl' }] })
  const validator = new Validator()
  expect(await validator.validate(structuredClone(api))).toMatchObject({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('every mounted route is in it and says what it does, and one of an application has its place', async () => {
  const { hono, api } = await described({
    extensions: [{ mount: (app) => void app.get('/api/tides/:port', ({ body }) => body('')) }],
  })
  const paths = pathsOf(api)
  for (const { method, path } of hono.routes) {
    if (method === 'ALL' || path.includes('*') || path === '/openapi.json') continue
    const address = path.replaceAll(/:(\w+)/g, '{$1}')
    const summary = membersOf(paths[address] ?? null)[method.toLowerCase()]
    expect(summary, `${method} ${path}`).toBeDefined()
    if (!path.startsWith('/api/tides'))
      expect(JSON.stringify(summary)).not.toContain('A route of an application')
  }
  expect(paths['/api/tides/{port}']).toMatchObject({ get: { summary: expect.anything() } })
})

test('bodies are the schemas that read them, and all that they refer to is there', async () => {
  const { api } = await described()
  const propose = membersOf(pathsOf(api)['/api/threads/{id}/events'] ?? null)['post'] ?? null
  expect(propose).toMatchObject({
    requestBody: {
      content: {
        'application/json': { schema: { required: ['events'], additionalProperties: false } },
      },
    },
  })
  const { schemas = null } = membersOf(api['components'] ?? null)
  const refs = [...JSON.stringify(api).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
  expect(refs.length).toBeGreaterThan(1)
  for (const [, name = ''] of refs) expect(membersOf(schemas)).toHaveProperty([name])
  expect(JSON.stringify(api)).not.toContain('#/$defs/')
})

test('each number of a query is read, and within its bounds', async () => {
  const throughline = await open()
  await throughline.propose('t', [{ type: 'reported', data: { what: 'smoke' } }])
  const server = await serve(throughline, { port: 0, ...quiet })
  onTestFinished(() => server.close())
  const api = (await (await fetch(`${server.url}/openapi.json`)).json()) as JsonObject
  const numbers = Object.entries(pathsOf(api)).flatMap(([path, operations]) => {
    const { parameters = [] } = membersOf(membersOf(operations ?? null)['get'] ?? null)
    return (parameters as readonly Json[])
      .filter(isJsonObject)
      .filter(({ schema }) => membersOf(schema ?? null)['type'] === 'integer')
      .map(({ name }) => ({ path, name: String(name) }))
  })
  expect(numbers.length).toBeGreaterThan(8)
  for (const { path, name } of numbers) {
    const address = `${server.url}${path.replace('{id}', 't')}?q=smoke&${name}=x`
    const response = await fetch(address)
    const answer = (await response.json()) as { readonly detail?: string }
    expect([address, response.status, answer.detail]).toEqual([
      address,
      400,
      expect.stringContaining(`Cannot use ${name}`),
    ])
  }
})

test('each name that a route reads off the query is in it', async () => {
  const { api } = await described()
  const folder = 'src/server'
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(routes|streams)\/[\w-]+\.ts$/.test(file) && !file.includes('.test'))
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
  const read = /(?:wholeNumber|singleText|queries|query)\((?:context, )?'(\w+)'/g
  const names = new Set(files.flatMap((text) => [...text.matchAll(read)].map(([, name]) => name)))
  expect(names.size).toBeGreaterThan(8)
  for (const name of names) expect(JSON.stringify(api)).toContain(`"name":"${name}","in":"query"`)
})
