import type { CustomerContact, ProjectFacts } from '../case/index.ts'
import { readContact } from './contact-words.ts'
import { readBareName } from './name-words.ts'
import { clausesOf, readBareFigure, readProject } from './project-words.ts'

export interface Extraction {
  readonly project: ProjectFacts
  readonly contact: CustomerContact
  /** Something was said that belongs to the customer alone, and was left out. */
  readonly personal: boolean
}

const PERSONAL =
  /\b(?:earns?|earning|income|salary|wages?|date of birth|d\.?o\.?b|born|years old|aged?|address(?! is \S+@)|postcode|post code|lives? (?:at|in)|employed|unemployed|retired|works? (?:as|for|at)|outgoings|mortgage|rent|debts?|savings|credit (?:score|card)|bank account|sort code)\b/i

/**
 * Reads what an installer says into the facts of a project and of its customer. `asked` is the fact
 * that was asked for, in the words of `missingForLink`, so that a bare answer can be understood.
 */
export function extractFacts(said: string, asked?: string): Extraction {
  const spoken = said.replace(/\bemail address\b/gi, 'email')
  const clauses = clausesOf(spoken)
  const personal = clauses.some((clause) => PERSONAL.test(clause))
  const text = personal ? clauses.filter((clause) => !PERSONAL.test(clause)).join(', ') : spoken
  const bare = readBare(text, asked)
  if (bare) return { ...bare, personal }
  const { contact, rest } = readContact(text)
  return { project: readProject(rest), contact, personal }
}

function readBare(text: string, asked?: string): Omit<Extraction, 'personal'> | undefined {
  const contact = asked === 'first name' ? readBareName(text) : {}
  const figure = asked === 'project value' || asked === 'deposit'
  const project = figure ? readBareFigure(text, asked) : {}
  const found = Object.keys(contact).length + Object.keys(project).length > 0
  return found ? { project, contact } : undefined
}
