export const LOOKS = {
  density: ['comfortable', 'compact'],
  scheme: ['as the system', 'light', 'dark'],
  contrast: ['as the system', 'forced'],
} as const

export type Look = { readonly [Part in keyof typeof LOOKS]: (typeof LOOKS)[Part][number] }

export function lookInAddress(): Look {
  const asked = new URLSearchParams(location.search)
  return {
    density: LOOKS.density.find((each) => each === asked.get('density')) ?? 'comfortable',
    scheme: LOOKS.scheme.find((each) => each === asked.get('scheme')) ?? 'as the system',
    contrast: LOOKS.contrast.find((each) => each === asked.get('contrast')) ?? 'as the system',
  }
}

export function writeLook(look: Look): void {
  const changed = Object.entries(look).filter(([part, value]) => !isDefault(part, value))
  const query = changed.length > 0 ? `?${new URLSearchParams(changed)}` : ''
  history.replaceState(history.state, '', `${location.pathname}${query}${location.hash}`)
}

function isDefault(part: string, value: string): boolean {
  return part in LOOKS && LOOKS[part as keyof typeof LOOKS][0] === value
}

/** The media query of each rule as the style sheet has it. */
const written = new WeakMap<CSSMediaRule, string>()

/** Turns the rules for dark schemes and forced colours on or off, whatever the system asks for. */
export function applyLook({ density, scheme, contrast }: Look): void {
  const root = document.documentElement
  root.dataset['density'] = density
  root.style.colorScheme = scheme === 'as the system' ? '' : scheme
  for (const rule of mediaRules()) {
    const query = written.get(rule) ?? rule.media.mediaText
    written.set(rule, query)
    rule.media.mediaText = replaced(query, { scheme, contrast })
  }
}

function replaced(query: string, { scheme, contrast }: Pick<Look, 'scheme' | 'contrast'>): string {
  if (query.includes('prefers-color-scheme') && scheme !== 'as the system') {
    return scheme === 'dark' ? 'all' : 'not all'
  }
  return query.includes('forced-colors') && contrast === 'forced' ? 'all' : query
}

function mediaRules(): readonly CSSMediaRule[] {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSMediaRule)
}
