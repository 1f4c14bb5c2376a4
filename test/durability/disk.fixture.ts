import { basename } from 'node:path'
import type { Syscall } from './syscalls.fixture.ts'

/** A disk writes a sector as a whole or not at all. */
const SECTOR_BYTES = 512

/** Something that was done to a file and may be lost with the power. */
type Change =
  | { readonly kind: 'bytes'; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'size'; readonly size: number }

/** Something that was done to the folder: `file` is now found under `name`, or nothing is. */
interface Naming {
  readonly name: string
  readonly file: File | undefined
  /** A rename takes the old name away in the same step. */
  readonly from: string | undefined
}

class File {
  size = 0
  readonly safe = new Contents()
  pending: Change[] = []

  change(change: Change): void {
    this.pending.push(change)
    this.size =
      change.kind === 'size'
        ? change.size
        : Math.max(this.size, change.offset + change.bytes.length)
  }
}

class Contents {
  #bytes = Buffer.alloc(0)
  #size = 0

  apply(change: Change): void {
    if (change.kind === 'size') return this.#resize(change.size)
    const end = change.offset + change.bytes.length
    if (end > this.#size) this.#resize(end)
    change.bytes.copy(this.#bytes, change.offset)
  }

  copy(): Contents {
    const copy = new Contents()
    copy.#bytes = Buffer.from(this.bytes())
    copy.#size = this.#size
    return copy
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size)
  }

  #resize(size: number): void {
    if (size > this.#bytes.length) {
      const grown = Buffer.alloc(size * 2)
      this.bytes().copy(grown)
      this.#bytes = grown
    }
    this.#bytes.fill(0, Math.min(size, this.#size), Math.max(size, this.#size))
    this.#size = size
  }
}

interface Opened {
  readonly file: File | 'folder'
  readonly appends: boolean
  position: number
}

/**
 * A folder as a disk without a battery keeps it: a file's bytes are safe once the file was synced, its
 * name once the folder was. Whatever was not synced may be there after a power cut, in any subset.
 */
export class Disk {
  readonly #folder: string
  readonly #opened = new Map<number, Opened>()
  readonly #names = new Map<string, File>()
  readonly #safeNames = new Map<string, File>()
  #pendingNames: Naming[] = []
  /** By running sync: marks its data as durable. */
  readonly #syncing = new Map<number, () => void>()

  constructor(folder: string) {
    this.#folder = folder
  }

  apply(call: Syscall): void {
    switch (call.kind) {
      case 'open':
        return this.#open(call)
      case 'write':
        return this.#write(this.#openedAs(call.fd), call)
      case 'truncate':
        return this.#fileAt(call.fd).change({ kind: 'size', size: call.size })
      case 'sync':
        return void this.#syncing.set(call.fd, this.#sync(this.#openedAs(call.fd).file))
      case 'synced':
        return this.#finishSync(call.fd)
      case 'rename':
        return this.#rename(basename(call.path), basename(call.to))
      case 'unlink':
        return this.#name({ name: basename(call.path), file: undefined, from: undefined })
      case 'said':
    }
  }

  /** The folder as it may look after a power cut now. `keeps` says of each doubtful part if it is there. */
  afterPowerCut(keeps: () => boolean): Map<string, Buffer> {
    const names = new Map(this.#safeNames)
    for (const naming of this.#pendingNames) if (keeps()) rename(names, naming)
    const image = new Map<string, Buffer>()
    for (const [name, { safe, pending }] of names) {
      const contents = safe.copy()
      for (const change of pending.flatMap(sectorsOf)) if (keeps()) contents.apply(change)
      image.set(name, Buffer.from(contents.bytes()))
    }
    return image
  }

  #open({ fd, path, flags }: Extract<Syscall, { kind: 'open' }>): void {
    if (path === this.#folder) {
      this.#opened.set(fd, { file: 'folder', appends: false, position: 0 })
      return
    }
    const name = basename(path)
    const known = this.#names.get(name)
    const file = known ?? new File()
    if (!known) this.#name({ name, file, from: undefined })
    else if (flags.includes('O_TRUNC')) file.change({ kind: 'size', size: 0 })
    this.#opened.set(fd, { file, appends: flags.includes('O_APPEND'), position: 0 })
  }

  #write(opened: Opened, { fd, bytes, offset }: Extract<Syscall, { kind: 'write' }>): void {
    const file = this.#fileAt(fd)
    const at = offset ?? (opened.appends ? file.size : opened.position)
    file.change({ kind: 'bytes', offset: at, bytes })
    if (offset === undefined) opened.position = at + bytes.length
  }

  #sync(file: File | 'folder'): () => void {
    if (file === 'folder') {
      const namings = [...this.#pendingNames]
      return () => {
        for (const naming of namings) rename(this.#safeNames, naming)
        this.#pendingNames = this.#pendingNames.filter((naming) => !namings.includes(naming))
      }
    }
    const changes = new Set(file.pending)
    return () => {
      for (const change of changes) file.safe.apply(change)
      file.pending = file.pending.filter((change) => !changes.has(change))
    }
  }

  #finishSync(fd: number): void {
    const finish = this.#syncing.get(fd)
    if (!finish) throw new Error(`Cannot replay: no sync of ${fd} began`)
    this.#syncing.delete(fd)
    finish()
  }

  #rename(from: string, name: string): void {
    this.#name({ name, file: this.#names.get(from), from })
  }

  #name(naming: Naming): void {
    rename(this.#names, naming)
    this.#pendingNames.push(naming)
  }

  #fileAt(fd: number): File {
    const { file } = this.#openedAs(fd)
    if (file === 'folder') throw new Error(`Cannot replay: ${fd} is the folder`)
    return file
  }

  #openedAs(fd: number): Opened {
    const opened = this.#opened.get(fd)
    if (!opened) throw new Error(`Cannot replay: ${fd} was not opened`)
    return opened
  }
}

function rename(names: Map<string, File>, { name, file, from }: Naming): void {
  if (from !== undefined) names.delete(from)
  if (file) names.set(name, file)
  else names.delete(name)
}

function sectorsOf(change: Change): Change[] {
  if (change.kind === 'size') return [change]
  const { offset, bytes } = change
  const sectors: Change[] = []
  for (let at = 0; at < bytes.length;) {
    const length = SECTOR_BYTES - ((offset + at) % SECTOR_BYTES)
    sectors.push({ kind: 'bytes', offset: offset + at, bytes: bytes.subarray(at, at + length) })
    at += length
  }
  return sectors
}
