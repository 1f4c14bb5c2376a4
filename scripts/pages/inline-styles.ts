import type { Plugin, Rolldown } from 'vite'

const STYLESHEET_LINK = /\s*<link rel="stylesheet"[^>]* href="\/([^"]+)">/g

/** Puts the styles of each page into its HTML, so that its first text waits for no second request. */
export function inlineStyles(): Plugin {
  return {
    name: 'inline-styles',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const inlined = new Set<string>()
        for (const page of Object.values(bundle)) {
          if (page.type !== 'asset' || !page.fileName.endsWith('.html')) continue
          const html = String(page.source)
          const names = [...html.matchAll(STYLESHEET_LINK)].map(([, name = '']) => name)
          const style = names.map((name) => readStyles(bundle, name)).join('')
          page.source = html
            .replaceAll(STYLESHEET_LINK, '')
            .replace('</title>', () => `</title>\n    <style>${style}</style>`)
          for (const name of names) inlined.add(name)
        }
        for (const name of inlined) delete bundle[name]
      },
    },
  }
}

function readStyles(bundle: Rolldown.OutputBundle, name: string): string {
  const file = bundle[name]
  if (file?.type !== 'asset') throw new Error(`Cannot inline the styles: there is no '${name}'`)
  return String(file.source).trim()
}
