import type { CustomerContact, ProjectFacts } from '../case/index.ts'
import { readContact } from './contact-words.ts'
import { readBareName } from './name-words.ts'
import { clausesOf, isPersonal } from './personal-words.ts'
import { NOTHING_RECALLED, readBareFigure, readProject } from './project-words.ts'
import type { Recalled } from './project-words.ts'
import type { Unclear } from './unclear.ts'

export interface Extraction {
  readonly project: ProjectFacts
  readonly contact: CustomerContact
  /** What was tried and could not be taken. */
  readonly unclear: readonly Unclear[]
  /** Something was said that belongs to the customer alone, and was left out. */
  readonly personal: boolean
}

export interface Listening {
  /** The fact that was asked for, in the words of `missingForLink`: a bare answer is one to it. */
  readonly asked?: string | undefined
  /** What the same installer said before, oldest first. */
  readonly earlier?: readonly string[]
}

/** Reads what an installer says into the facts of a project and of its customer. */
export function extractFacts(said: string, { asked, earlier = [] }: Listening = {}): Extraction {
  const { text, personal } = withoutPersonal(said)
  const bare = readBare(text, asked)
  if (bare) return { ...bare, unclear: [], personal }
  const { contact, rest, unclear } = readContact(text)
  const project = readProject(rest, recall(earlier))
  return { project: project.facts, contact, unclear: [...unclear, ...project.unclear], personal }
}

function withoutPersonal(said: string): { readonly text: string; readonly personal: boolean } {
  const spoken = said.replace(/\be-?mail address\b/gi, 'email')
  const clauses = clausesOf(spoken)
  const kept = clauses.filter((clause) => !isPersonal(clause))
  const personal = kept.length < clauses.length
  return { text: personal ? kept.join(', ') : spoken, personal }
}

/** What has been said of the project so far: a correction need not name what it corrects. */
function recall(earlier: readonly string[]): Recalled {
  return earlier.reduce<Recalled>((recalled, said) => {
    const { rest } = readContact(withoutPersonal(said).text)
    const { facts, last } = readProject(rest, recalled)
    return { facts: { ...recalled.facts, ...facts }, last }
  }, NOTHING_RECALLED)
}

function readBare(
  text: string,
  asked?: string,
): Pick<Extraction, 'project' | 'contact'> | undefined {
  const contact = asked === 'first name' ? readBareName(text) : {}
  const figure = asked === 'project value' || asked === 'deposit'
  const project = figure ? readBareFigure(text, asked) : {}
  const found = Object.keys(contact).length + Object.keys(project).length > 0
  return found ? { project, contact } : undefined
}
