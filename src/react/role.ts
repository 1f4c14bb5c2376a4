export interface RoleOptions {
  /** Which of the page's cookies the server should go by. */
  readonly role?: string
  readonly headers?: () => Readonly<Record<string, string>>
}

export function headersFor({ role, headers }: RoleOptions): Readonly<Record<string, string>> {
  return { ...(role !== undefined && { 'throughline-role': role }), ...headers?.() }
}
