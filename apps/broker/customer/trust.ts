/** The trust in the page that hosts the journey; with `low`, disclosures are shown on another page. */
export type Trust = 'high' | 'low'

export function readTrust(): Trust {
  return parameter('trust') === 'low' ? 'low' : 'high'
}

export function isDemo(): boolean {
  return parameter('demo') === '1'
}

/** Returns this page's address with another trust, otherwise unchanged. */
export function addressWithTrust(trust: Trust): string {
  const query = new URLSearchParams(location.search)
  query.set('trust', trust)
  return `${location.pathname}?${query}${location.hash}`
}

function parameter(name: string): string | null {
  return new URLSearchParams(location.search).get(name)
}
