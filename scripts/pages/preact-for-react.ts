import type { Plugin } from 'vite'

const PREACT: Readonly<Record<string, string>> = {
  react: 'preact/compat',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime',
}

/** Bundles Preact where the pages of one build environment import React. */
export function preactForReact(environment: string): Plugin {
  return {
    name: 'preact-for-react',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === environment,
    resolveId: {
      filter: { id: /^react(?:-dom)?(?:\/|$)/ },
      async handler(source, importer) {
        const preact = PREACT[source]
        if (preact === undefined) throw new Error(`Cannot bundle '${source}': Preact has no such`)
        return this.resolve(preact, importer, { skipSelf: true })
      },
    },
  }
}
