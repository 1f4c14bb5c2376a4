import type { CustomerContact, ProjectFacts } from '../case/index.ts'
import { readContact } from './contact-words.ts'
import { readBareName } from './name-words.ts'
import { clausesOf, isPersonal } from './personal-words.ts'
import { NOTHING_RECALLED, readBareFigure, readProject } from './project-words.ts'
import type { Recalled } from './project-words.ts'
import { readRetailer } from './retailer-words.ts'
import { withDepositInFigures, withKeyWordsSpelt } from './spelling.ts'
import type { Unclear } from './unclear.ts'

export interface Extraction {
  readonly project: ProjectFacts
  /** The firm that the installer speaks for, in a member of its own; nothing where none was named. */
  readonly retailer: Retailer
  readonly contact: CustomerContact
  /** Facts that were given and could not be read. */
  readonly unclear: readonly Unclear[]
  /** Something was said that belongs to the customer alone, and was left out. */
  readonly personal: boolean
}

type Retailer = { readonly retailerName?: string }

export interface Listening {
  /** The fact that was asked for, in the words of `missingForLink`: a bare answer is one to it. */
  readonly asked?: string | undefined
  /** The customer's first name, as far as it is known. */
  readonly firstName?: string
  /** Earlier messages of the same installer, oldest first. */
  readonly earlier?: readonly string[]
}

/** Reads what an installer says into the facts of a project and of its customer. */
export function extractFacts(
  said: string,
  { asked, firstName, earlier = [] }: Listening = {},
): Extraction {
  const { rest: told, ...retailer } = readRetailer(withDepositInFigures(withKeyWordsSpelt(said)))
  const { text, personal } = withoutPersonal(told)
  const bare = readBare(text, asked)
  if (bare) return { ...bare, retailer, unclear: [], personal }
  const { contact, rest, unclear } = readContact(text, firstName)
  const project = readProject(rest, recall(earlier))
  const wrong = [...unclear, ...project.unclear]
  return { project: project.facts, retailer, contact, unclear: wrong, personal }
}

function withoutPersonal(said: string): { readonly text: string; readonly personal: boolean } {
  const spoken = said.replace(/\be-?mail address\b/gi, 'email')
  const clauses = clausesOf(spoken)
  const kept = clauses.filter((clause) => !isPersonal(clause))
  const personal = kept.length < clauses.length
  return { text: personal ? kept.join(', ') : spoken, personal }
}

/** The project so far: a correction need not name the fact that it corrects. */
function recall(earlier: readonly string[]): Recalled {
  return earlier.reduce<Recalled>((recalled, said) => {
    const { rest } = readContact(withoutPersonal(readRetailer(said).rest).text)
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
