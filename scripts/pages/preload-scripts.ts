import type { Plugin, Rolldown } from 'vite'

/** Loads what a page's first script imports later at the same time as the first script. */
export function preloadScripts(): Plugin {
  return {
    name: 'preload-scripts',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const page of Object.values(bundle)) {
          if (page.type !== 'asset' || !page.fileName.endsWith('.html')) continue
          const html = String(page.source)
          const first = Object.values(bundle)
            .filter(isChunk)
            .find(({ fileName, isEntry }) => {
              return isEntry && html.includes(`src="/${fileName}"`)
            })
          const missing = importsOf(
            [...(first?.imports ?? []), ...(first?.dynamicImports ?? [])],
            bundle,
          ).filter((name) => !html.includes(`"/${name}"`))
          const links = missing.map(
            (name) => `  <link rel="modulepreload" crossorigin href="/${name}">\n  `,
          )
          page.source = html.replace('</head>', `${links.join('')}</head>`)
        }
      },
    },
  }
}

function isChunk(file: Rolldown.OutputAsset | Rolldown.OutputChunk): file is Rolldown.OutputChunk {
  return file.type === 'chunk'
}

/** The named chunks and all that they import. */
function importsOf(names: readonly string[], bundle: Rolldown.OutputBundle): readonly string[] {
  const found = new Set(names)
  for (const name of found) {
    const chunk = bundle[name]
    if (chunk?.type === 'chunk') for (const imported of chunk.imports) found.add(imported)
  }
  return [...found]
}
