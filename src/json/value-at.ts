import { isJsonArray, isJsonObject, ownMember } from './json.ts'
import type { Json } from './json.ts'

/** The value at a JSON pointer (RFC 6901), such as `/orders/0/price`; the empty one is the whole document. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document
  for (const name of pointer.split('/').slice(1)) {
    if (isJsonArray(value)) value = isIndex(name) ? value[Number(name)] : undefined
    else value = isJsonObject(value) ? ownMember(value, unescaped(name)) : undefined
  }
  return value
}

export function isIndex(name: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(name)
}

export function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}
