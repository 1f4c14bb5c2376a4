import { refusalIn } from 'throughline/server/extend'

const NOT_RECORDED: Readonly<Record<string, string>> = {
  record_project_facts: 'The project facts were not recorded',
  record_customer_contact: 'The contact details were not recorded',
  generate_customer_link: 'The link was not made',
}
const FORM_REFUSED = 'What was entered could not be recorded, so nothing has changed.'

/** Takes back what the tablet said in its last turn and the gate then refused. */
export function tellRefusals(notes: readonly string[]): readonly string[] {
  const form = notes.some((note) => note.startsWith('[Not recorded: ')) ? [FORM_REFUSED] : []
  return [...new Set([...notes.flatMap(tell), ...form])]
}

function tell(note: string): readonly string[] {
  const { type = '', detail = '' } = refusalIn(note) ?? {}
  const what = NOT_RECORDED[type]
  return what === undefined ? [] : [`${what}. ${sentence(detail)}`]
}

function sentence(detail: string): string {
  return `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`
}
