import { AgentError, requireEvents } from '../agents/index.ts'
import type { ResumeRequest, TurnRequest } from '../agents/index.ts'
import { kindOf, quotedNames, unknownMember } from '../json/index.ts'
import type { KnownMembers } from '../json/index.ts'
import { ApplicationError } from './app-error.ts'
import type { Proposer } from './opened-app.ts'

const TURN_PARTS: KnownMembers<TurnRequest> = {
  agent: true,
  input: true,
  events: true,
  messages: true,
  tools: true,
  context: true,
  page: true,
  requestContext: true,
  actor: true,
  role: true,
  surface: true,
  key: true,
  first: true,
  begins: true,
  wire: true,
}

const RESUME_PARTS: KnownMembers<ResumeRequest> = {
  run: true,
  values: true,
  surface: true,
  key: true,
  actor: true,
  role: true,
  requestContext: true,
}

const PROPOSER_PARTS: KnownMembers<Proposer> = { source: true, surface: true, actor: true }

/** The sources that a program may propose with. */
const SOURCES: readonly string[] = [
  'ui',
  'system',
  'process',
  'remote',
] satisfies Proposer['source'][]

/**
 * Refuses a request that is none: Node runs a program without checking its types.
 *
 * @throws {@link AgentError} `invalid_request`
 */
export function requireTurn(request: TurnRequest): void {
  requireRequest('ask', request, { known: TURN_PARTS, mend: '{ agent, input }' })
  const { input, events } = request
  if (input !== undefined && typeof input !== 'string' && !Array.isArray(input)) {
    const why = `its \`input\` must be a text or a list of parts, and is ${kindOf(input)}`
    throw invalid('ask', why)
  }
  if (events !== undefined) requireEvents('ask', events)
}

/** @throws {@link AgentError} `invalid_request` */
export function requireResume(request: ResumeRequest): void {
  requireRequest('resume', request, { known: RESUME_PARTS, mend: '{ run, values }' })
  const { values } = request
  if (kindOf(values) === 'an object') return
  const mend = 'such as { approved: true }'
  throw invalid('resume', `its \`values\` must be an object, ${mend}, and is ${kindOf(values)}`)
}

/** @throws {@link ApplicationError} `unknown_source`, {@link AgentError} `invalid_request` */
export function requireProposer(proposer: Proposer): void {
  if (kindOf(proposer) !== 'an object') {
    throw invalid(
      'propose',
      `the proposer is ${kindOf(proposer)}; give { source, surface?, actor? }`,
    )
  }
  const unknown = unknownMember(proposer, PROPOSER_PARTS)
  if (unknown !== undefined) throw invalid('propose', unknown)
  const { source } = proposer
  if (SOURCES.includes(source)) return
  throw new ApplicationError(
    'unknown_source',
    `Cannot propose as "${source}": a proposal from outside is of ${quotedNames(SOURCES)}`,
  )
}

function requireRequest(
  verb: 'ask' | 'resume',
  request: Pick<TurnRequest, 'key'>,
  { known, mend }: { readonly known: Readonly<Record<string, true>>; readonly mend: string },
): void {
  // `typeof` in the place of a call: each turn comes by here.
  if (typeof request !== 'object' || request === null) {
    throw invalid(verb, `the request is ${kindOf(request)}; give ${mend}`)
  }
  const unknown = unknownMember(request, known)
  if (unknown !== undefined) throw invalid(verb, unknown)
  const { key } = request
  if (key === undefined || typeof key === 'string') return
  throw invalid(verb, `its \`key\` must be a text, and is ${kindOf(key)}`)
}

function invalid(verb: 'ask' | 'propose' | 'resume', why: string): AgentError {
  return new AgentError('invalid_request', `Cannot ${verb}: ${why}`)
}
