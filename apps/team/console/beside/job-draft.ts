import type { JsonObject } from 'throughline/client'

/** The job form's time limit for suggestions. */
export const JOB_HELP_WAIT_MAX_MS = 30_000

/** A job as a person types it; files stand one a line. */
export interface JobDraft {
  readonly name: string
  readonly description: string
  readonly contextDocs: string
  readonly skills: string
  readonly files: string
  readonly aboutYou: string
}

export const EMPTY_JOB: JobDraft = {
  name: '',
  description: '',
  contextDocs: '',
  skills: '',
  files: '',
  aboutYou: '',
}

export const JOB_FIELDS = [
  'name',
  'description',
  'contextDocs',
  'skills',
  'files',
  'aboutYou',
] as const satisfies readonly (keyof JobDraft)[]

/** Fills in the fields that are empty, and keeps what a person has typed. */
export function withSuggestions(draft: JobDraft, suggestions: JsonObject): JobDraft {
  const suggested = JOB_FIELDS.filter((field) => draft[field].trim() === '').map((field) => [
    field,
    textOfSuggestion(suggestions[field], field),
  ])
  return { ...draft, ...Object.fromEntries(suggested) }
}

function textOfSuggestion(value: unknown, field: keyof JobDraft): string {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return ''
  const texts = value.filter((each) => typeof each === 'string')
  return texts.join(field === 'files' ? '\n' : ', ')
}

/** The body of the request that saves a job. */
export function jobBody({ files, ...draft }: JobDraft) {
  const named = files.split('\n').map((file) => file.trim())
  return { ...draft, files: named.filter((file) => file !== '') }
}
