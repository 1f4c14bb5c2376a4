import type { IconNode } from 'lucide'
import {
  BookOpen,
  Bot,
  FileText,
  Globe,
  ListChecks,
  Pencil,
  Search,
  Terminal,
  Wrench,
} from 'lucide'
import type { Json } from 'throughline/client'
import { textOf } from 'throughline/client'
import { WORDS } from './words.ts'

/** What a call does, as a person reads it: `Ran npm test`. */
export interface CallWords {
  readonly icon: IconNode
  readonly verb: string
  readonly object: string
  /** `code`: the object is a command, a file or a name. */
  readonly objectIs: 'code' | 'words'
}

/** Of a tool of a coding agent by the name that Claude Code gives it; of every other, its name. */
export function callWords(name: string, input: Json): CallWords {
  const words = SAYS[name]?.(input)
  return { icon: Wrench, verb: WORDS.call.used, object: name, objectIs: 'code', ...words }
}

type Says = (input: Json) => Partial<CallWords>

const file = (input: Json) => textOf(input, 'file_path') || textOf(input, 'notebook_path')

const change: Says = (input) => ({
  icon: Pencil,
  verb: WORDS.call.changed,
  object: file(input),
})

const helper: Says = (input) => ({
  icon: Bot,
  verb: WORDS.call.helper,
  object: textOf(input, 'description'),
  objectIs: 'words',
})

const search: Says = (input) => {
  const [pattern, path] = [textOf(input, 'pattern'), textOf(input, 'path')]
  const object = path === '' ? pattern : WORDS.call.inFolder(pattern, path)
  return { icon: Search, verb: WORDS.call.searched, object }
}

const plan: Says = () => ({
  icon: ListChecks,
  verb: WORDS.call.planned,
  object: '',
  objectIs: 'words',
})

const SAYS: Readonly<Record<string, Says>> = {
  Agent: helper,
  Bash: (input) => ({
    icon: Terminal,
    verb: WORDS.call.ran,
    object: textOf(input, 'command'),
  }),
  Edit: change,
  Glob: search,
  Grep: search,
  MultiEdit: change,
  NotebookEdit: change,
  Read: (input) => ({ icon: BookOpen, verb: WORDS.call.read, object: file(input) }),
  Task: helper,
  TodoWrite: plan,
  WebFetch: (input) => ({
    icon: Globe,
    verb: WORDS.call.fetched,
    object: textOf(input, 'url'),
  }),
  WebSearch: (input) => ({
    icon: Globe,
    verb: WORDS.call.searched,
    object: textOf(input, 'query'),
  }),
  Write: (input) => ({ icon: FileText, verb: WORDS.call.wrote, object: file(input) }),
}
