import { AgentError } from '../../agents/index.ts'
import { unknownMember } from '../../json/index.ts'
import type { KnownMembers } from '../../json/index.ts'
import { childEnvironment } from '../process/environment.ts'
import { processProgram } from '../session/process-program.ts'
import type { ProcessProgram } from '../session/process-program.ts'
import { RecentValues } from '../recent-ids.ts'
import { ProgramError } from '../program-error.ts'
import { ProgramSession } from '../session/session.ts'
import type { SessionLimits } from '../session/session.ts'
import { AcpDialect } from './dialect.ts'
import type { AcpConversation } from './dialect.ts'

export interface AcpAgentParts {
  readonly bin: string
  /** By default none; OpenCode wants `['acp']`. */
  readonly args?: readonly string[]
  /** Where it works; by default where this process does. */
  readonly cwd?: string
  /** Its whole environment; by default what every program needs of this process's. */
  readonly env?: Readonly<Record<string, string>>
  readonly limits?: SessionLimits
}

const PARTS: KnownMembers<AcpAgentParts> = {
  bin: true,
  args: true,
  cwd: true,
  env: true,
  limits: true,
}

/**
 * An agent that speaks the Agent Client Protocol, such as OpenCode, as the program of an agent: one process for
 * each conversation, which is loaded again after a crash where the agent can. Permission for its tools is asked of a
 * person. It has no authority over the domain.
 *
 * @throws {@link AgentError} `invalid_agent` for a part that there is not
 * @example
 * const program = acpAgent({ bin: 'opencode', args: ['acp'], cwd: 'workspace' })
 * const coder = defineAgent({ name: 'coder', program })
 * @see https://agentclientprotocol.com
 */
export function acpAgent(parts: AcpAgentParts): ProcessProgram {
  const unknown = unknownMember(parts, PARTS)
  if (unknown !== undefined) {
    throw new AgentError('invalid_agent', `Cannot call acpAgent: ${unknown}`)
  }
  const { bin, args = [], cwd = process.cwd(), limits } = parts
  const { env = childEnvironment(process.env) } = parts
  const conversations = new RecentValues<AcpConversation>()
  return processProgram(async ({ memory, conversation: name, instructions, isUnderWay }) => {
    const conversation = conversations.of(name, () => ({ session: undefined, underWay: undefined }))
    if (memory === 'resumed' && conversation.session === undefined) {
      throw new ProgramError(
        'no_conversation',
        `Cannot load a conversation that "${bin}" does not know`,
      )
    }
    if (memory === 'new') {
      const wasAtWork = isUnderWay && conversation.underWay !== undefined
      conversation.session = conversation.underWay = undefined
      if (wasAtWork) throw new ProgramError('program_exited', `Cannot go on with "${bin}": ${LOST}`)
    }
    return new ProgramSession({
      command: { bin, args, cwd, env },
      dialect: new AcpDialect({ cwd, conversation, memory, instructions }),
      ...(limits ? { limits } : {}),
    })
  }, 'acp')
}

const LOST = 'it ended at work, and cannot load the conversation; the next message begins a new one'
