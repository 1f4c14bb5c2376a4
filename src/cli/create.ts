import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { basename, dirname, join, relative, resolve } from 'node:path'

/** The built command stands in `dist/lib`, its source in `src/cli`: the package is two folders up. */
const inPackage = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const STARTER = import.meta.url.endsWith('.ts') ? 'examples/starter' : 'dist/starter'

/**
 * Writes an application that runs: a domain, an agent, a page, a server and a test. A relative folder is one
 * of `from`. Returns false, and writes nothing, where the folder holds something.
 */
export function createApplication(folder: string, from: string): boolean {
  const target = resolve(from, folder)
  if (existsSync(target) && readdirSync(target).length > 0) return false
  mkdirSync(target, { recursive: true })
  cpSync(inPackage(STARTER), target, { recursive: true })
  const manifest = {
    name: basename(target)
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '-'),
    private: true,
    type: 'module',
    engines: { node: '>=24' },
    scripts: {
      start: 'vite build && node server.ts',
      test: 'node --test rules.ts',
      check: 'tsc',
    },
    dependencies: {
      throughline: dependency(target, from),
      zod: '^4.0.0',
    },
    devDependencies: {
      '@types/node': '^24.0.0',
      '@types/react': '^19.0.0',
      '@types/react-dom': '^19.0.0',
      react: '^19.0.0',
      'react-dom': '^19.0.0',
      typescript: '>=5.9',
      vite: '^8.0.0',
    },
  }
  const settings = {
    compilerOptions: {
      target: 'es2024',
      module: 'nodenext',
      lib: ['ES2024', 'DOM', 'DOM.Iterable'],
      jsx: 'react-jsx',
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
    },
  }
  writeFileSync(join(target, 'package.json'), json(manifest))
  writeFileSync(join(target, 'tsconfig.json'), json(settings))
  writeFileSync(join(target, '.gitignore'), 'node_modules\ndist\n*.db*\n*.secret\n')
  return true
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** What was installed from a file or a folder is installed from there again. */
function dependency(target: string, from: string): string {
  const named = installedAs(from)
  if (named?.as.startsWith('file:')) {
    return `file:${relative(target, resolve(named.project, named.as.slice('file:'.length)))}`
  }
  const { version } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8')) as {
    readonly version: string
  }
  return `^${version}`
}

/** How the project around a folder names the package; undefined outside of one. */
function installedAs(
  folder: string,
): { readonly project: string; readonly as: string } | undefined {
  const manifest = join(folder, 'package.json')
  if (existsSync(manifest)) {
    const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      readonly dependencies?: Readonly<Record<string, string>>
    }
    const as = dependencies?.['throughline']
    if (as !== undefined) return { project: folder, as }
  }
  return dirname(folder) === folder ? undefined : installedAs(dirname(folder))
}
