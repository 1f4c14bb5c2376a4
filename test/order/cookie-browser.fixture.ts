import type { Answered } from '../../apps/broker/journeys/served-broker.fixture.ts'

/** A browser without its pages: it keeps cookies, and asks in the role of a page. */
export class CookieBrowser {
  readonly cookies = new Map<string, string>()
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** Exchanges the token of a link, as a page does. */
  async open(token: string): Promise<Answered> {
    return this.ask('/api/token', { body: { token } })
  }

  /** Exchanges the tokens of a started case, as the start page does. */
  async keep(token: string): Promise<Answered> {
    return this.ask('/api/token', { body: { token, purpose: 'keep' } })
  }

  async ask(path: string, request: { readonly role?: string; readonly body?: unknown } = {}) {
    const { role, body } = request
    const response = await fetch(this.#url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        connection: 'close',
        ...this.headers,
        ...(role === undefined ? {} : { 'throughline-role': role }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text), text }
  }

  get headers(): { readonly cookie: string } {
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/max-age=0/i.test(line)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }

  /** The id by which the log tells this browser from others. */
  get session(): string {
    return this.cookies.get('browser-of-throughline') ?? ''
  }
}
