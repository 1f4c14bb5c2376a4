import type { Plugin } from 'vite'

const MARK = '<!-- shared head -->'

/** What every page loads first and says of itself. */
const SHARED_HEAD = `<meta charset="utf-8" />
    <meta
      name="viewport"
      content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
    />
    <meta name="referrer" content="no-referrer" />
    <link
      rel="preload"
      href="/kit/fonts/figtree-latin.woff2"
      as="font"
      type="font/woff2"
      crossorigin
    />
    <link rel="icon" href="/kit/icon.svg" type="image/svg+xml" />`

/** Writes the head that pages share in the place of its mark. */
export function sharedHead(): Plugin {
  return {
    name: 'shared-head',
    transformIndexHtml: {
      // Before Vite looks for assets, whose names it changes.
      order: 'pre',
      handler: (html) => html.replace(MARK, () => SHARED_HEAD),
    },
  }
}
