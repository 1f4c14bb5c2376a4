import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Puts back what `npm install` leaves out of the lock file when a registry does not hold the binaries
 * of every platform: without their entries `npm ci` refuses the file. Run it after changing dependencies.
 */
interface LockedPackage {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const PROCESSORS = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]

const path = 'package-lock.json'
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, LockedPackage> }
let added = 0
for (const [owner, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const places = [`node_modules/${name}`, `${owner}/node_modules/${name}`]
    if (places.some((place) => place in lock.packages)) continue
    const entry = platformEntry(name, version)
    if (!entry) throw new Error(`Cannot complete the lock file: "${name}" names no platform`)
    lock.packages[`node_modules/${name}`] = { ...entry, ...(dev ? { dev } : {}) }
    added++
  }
}
const sorted = Object.entries(lock.packages).toSorted(([one], [other]) => (one < other ? -1 : 1))
writeFileSync(
  path,
  `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`,
)
console.log(`${added} packages of other platforms added to ${path}`)

function platformEntry(name: string, version: string): LockedPackage | undefined {
  const words = name.split(/[/-]/)
  const cpu = words.filter((word) => PROCESSORS.includes(word))
  if (cpu.length === 0) return undefined
  const os = words.filter((word) => SYSTEMS.includes(word))
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : ['glibc']
  return {
    version,
    optional: true,
    cpu,
    ...(os.length > 0 ? { os } : {}),
    ...(os.includes('linux') ? { libc } : {}),
  }
}
