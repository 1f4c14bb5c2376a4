/** Describes plain names in error messages. */
export const PLAIN_NAME = '1 to 64 letters, digits, "_" or "-"'

/** Whether a name fits in addresses, queries and tokens, and as the name of a model's tool. */
export function isPlainName(name: string): boolean {
  return /^[\w-]{1,64}$/.test(name)
}
