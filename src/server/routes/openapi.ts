import type { Hono } from 'hono'
import { z } from 'zod'
import { isJsonArray, isJsonObject, membersOf } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import { problemBody } from '../problems/problem.ts'
import { JSON_TYPE } from './route-description.ts'
import type { Bounds, RouteDescription, RouteDescriptions } from './route-description.ts'

const OPENAPI = '3.1.1'
const REQUEST_BODY = 'RequestBody'

export interface OpenApiOptions {
  readonly descriptions: RouteDescriptions
  readonly version?: string | undefined
  readonly prefix?: string | undefined
}

/** The OpenAPI description of all routes that are mounted: those of applications have no more than their place. */
export function openApi({ routes }: Pick<Hono, 'routes'>, options: OpenApiOptions): JsonObject {
  const { descriptions, version = '0', prefix = '/' } = options
  const paths: Record<string, Record<string, Json>> = {}
  const schemas: Record<string, Json> = { Problem: lifted('Problem', problemBody).schema }
  for (const { method, path } of routes) {
    // Middleware is for every method, and a wildcard is no address.
    if (method === 'ALL' || path.includes('*')) continue
    const found = descriptions[`${method} ${path}`] ?? { summary: 'A route of an application' }
    const operation = operationOf({ method, path, ...found })
    Object.assign(schemas, operation.schemas)
    const address = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[address] = { ...paths[address], [method.toLowerCase()]: operation.value }
  }
  return {
    openapi: OPENAPI,
    info: { title: 'Throughline', version },
    servers: [{ url: prefix }],
    security: [{ bearer: [] }, {}],
    paths,
    components: { schemas, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  }
}

type Mounted = RouteDescription & { readonly method: string; readonly path: string }

function operationOf(route: Mounted): { readonly value: Json; readonly schemas: JsonObject } {
  const { method, path, summary, body, query = {}, status = 200, answers = [JSON_TYPE] } = route
  const operationId = idOf(method, path)
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => parameter('path', name))
  const asked = Object.entries(query).map(([name, of]) => parameter('query', name, of))
  const read = body && lifted(operationId + REQUEST_BODY, body)
  const problem = { schema: { $ref: '#/components/schemas/Problem' } }
  const value = {
    operationId,
    summary,
    ...(named.length + asked.length > 0 && { parameters: [...named, ...asked] }),
    ...(read && {
      requestBody: {
        required: route.isBodyOptional !== true,
        content: { [JSON_TYPE]: { schema: read.schema } },
      },
    }),
    responses: {
      [status]: {
        description: 'Done',
        ...(status !== 204 && { content: Object.fromEntries(answers.map((type) => [type, {}])) }),
      },
      default: {
        description: 'A problem (RFC 9457)',
        content: { 'application/problem+json': problem },
      },
    },
  }
  return { value, schemas: read?.definitions ?? {} }
}

function parameter(place: 'path' | 'query', name: string, of: 'text' | Bounds = 'text'): Json {
  const schema =
    of === 'text' ? { type: 'string' } : { type: 'integer', minimum: of.min, maximum: of.max }
  return { name, in: place, ...(place === 'path' && { required: true }), schema }
}

function idOf(method: string, path: string): string {
  const words = path.split('/').map((part) => part.replaceAll(/\W/g, ''))
  return [method.toLowerCase(), ...words.filter((word) => word !== '')].join('_')
}

/** A schema whose definitions lie among those of the whole description. */
function lifted(
  name: string,
  schema: z.ZodType,
): { readonly schema: Json; readonly definitions: JsonObject } {
  // It is JSON by definition.
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject
  const own = Object.fromEntries(Object.entries(whole).filter(([part]) => !part.startsWith('$')))
  const { $defs = null, $ref: ref } = whole
  const renamed = (value: Json): Json => {
    if (isJsonArray(value)) return value.map(renamed)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([member, held]) => [
        member,
        member === '$ref' && typeof held === 'string'
          ? held.replace('#/$defs/', `#/components/schemas/${name}.`)
          : renamed(held ?? null),
      ]),
    )
  }
  const definitions = Object.entries(membersOf($defs)).map(([each, of = null]) => [
    `${name}.${each}`,
    renamed(of),
  ])
  return {
    schema: renamed(ref === undefined ? own : { ...own, $ref: ref }),
    definitions: Object.fromEntries(definitions),
  }
}
