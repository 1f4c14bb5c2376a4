/** The studio's page may lie under a prefix, as the routes beside it do; every other page lies at the root. */
const [, prefix = ''] = /^(.*?)\/studio\//.exec(globalThis.location?.pathname ?? '') ?? []

/** The address of the server's routes. */
export const API = `${prefix}/api`

/** The address of a thread's routes. */
export function threadUrl(thread: string): string {
  return `${API}/threads/${encodeURIComponent(thread)}`
}
