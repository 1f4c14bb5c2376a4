import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'

/** A schema that can check a value and describe itself to a model: zod 4 and others of Standard Schema. */
export type ToolSchema<Input = unknown> = StandardSchemaV1<unknown, Input> & StandardJSONSchemaV1

/** A schema as the AI SDK's `jsonSchema()` and `zodSchema()` make it. Without `validate` it takes anything. */
export interface SdkSchema<Input = unknown> {
  readonly _type: Input
  readonly jsonSchema: object
  readonly validate?: (value: unknown) => SdkValidation | PromiseLike<SdkValidation>
}

type SdkValidation =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error }

/** The accepted types of a tool's `inputSchema`; the last is the AI SDK's `lazySchema()`. */
export type InputSchema = StandardSchemaV1 | SdkSchema | (() => SdkSchema)

/** The output type of a schema. */
export type InputOf<Schema> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Schema>
  : Schema extends { readonly _type: infer Input } | (() => { readonly _type: infer Input })
    ? Input
    : never

/** Returns a schema of Standard Schema, or undefined when it cannot describe itself at once. */
export function toolSchemaOf(schema: InputSchema): ToolSchema | undefined {
  // Some schemas of Standard Schema are functions too.
  if ('~standard' in schema) return describesItself(schema) ? schema : undefined
  if (typeof schema === 'function') return toolSchemaOf(schema())
  const { jsonSchema } = schema
  if (typeof jsonSchema !== 'object' || 'then' in jsonSchema) return undefined
  const described = (): Record<string, unknown> => ({ ...jsonSchema })
  return {
    '~standard': {
      version: 1,
      vendor: 'ai',
      validate: (value) => validated(schema, value),
      jsonSchema: { input: described, output: described },
    },
  }
}

function describesItself(schema: StandardSchemaV1): schema is ToolSchema {
  const { jsonSchema } = (schema as Partial<ToolSchema>)['~standard'] ?? {}
  return typeof jsonSchema?.input === 'function'
}

async function validated(
  { validate }: SdkSchema,
  value: unknown,
): Promise<StandardSchemaV1.Result<unknown>> {
  const result = (await validate?.(value)) ?? { success: true, value }
  return result.success ? { value: result.value } : { issues: [{ message: result.error.message }] }
}
