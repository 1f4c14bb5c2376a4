import { exactRule } from 'throughline/server/extend'
import type { PermissionAsked, PermissionDecided } from 'throughline/server/extend'
import { membersOf } from 'throughline'
import type { Json } from 'throughline'
import { startOf } from 'throughline/client'
import { RULE_CHARS_MAX, standingRule } from '../events/index.ts'
import type { PermissionAnswer, StandingRule, TeamState } from '../events/index.ts'
import type { TeamProgram } from './program.ts'
import { shownCall } from './shown-call.ts'

interface AskedPermissionsParts {
  readonly program: Pick<TeamProgram, 'answer'>
  /** Where the program works. */
  readonly folder: string
  /** Waits while the store fails. */
  readonly state: () => Promise<TeamState>
  /** Records an event, and returns whether it was accepted. */
  readonly record: (type: string, data: unknown) => Promise<boolean>
}

interface AskedCall {
  readonly input: Json
  /** Of what was shown of it. */
  readonly digest: string
  readonly isQuestion: boolean
}

/** The calls of one process that wait for a person's permission, or have it by a rule that a person made. */
export class AskedPermissions {
  readonly #parts: AskedPermissionsParts
  readonly #open = new Map<string, AskedCall>()

  constructor(parts: AskedPermissionsParts) {
    this.#parts = parts
  }

  /** Lets a call run that a rule of a person allows; returns the events by which every other call is asked. */
  async ask(asked: PermissionAsked) {
    const { request, toolName, input, questions, parent } = asked
    const { folder } = this.#parts
    const always = questions ? undefined : exactRule(toolName, input)
    const rule = always && standingRule(await this.#parts.state(), { ...always, folder })
    if (rule && (await this.#allow(asked, rule))) return []
    const shown = shownCall(toolName, input)
    this.#open.set(request, { input, digest: shown.digest, isQuestion: questions !== undefined })
    const more = {
      folder,
      ...(parent !== undefined && { parentToolUseId: parent }),
      ...(always && shown.isWhole && { always }),
    }
    return [{ type: 'permission_asked', data: { request, ...shown, ...more } }]
  }

  /** A rule that was removed meanwhile allows nothing: the log refuses it. */
  async #allow({ request, toolName, input, call }: PermissionAsked, rule: StandingRule) {
    const decided = decidedCall({
      type: 'permission_decided',
      call,
      toolName,
      input,
      behavior: 'allow',
      rule: `${rule.tool}(${rule.pattern})`,
    })
    const isAllowed = await this.#parts.record(decided.type, { ...decided.data, ruleId: rule.id })
    if (isAllowed) await this.#parts.program.answer(request, { behavior: 'allow', input })
    return isAllowed
  }

  /** An answer to another call than the one that is asked by this name now is left out. */
  async answer({ request, digest, approved, message, answers }: PermissionAnswer): Promise<void> {
    const asked = this.#open.get(request)
    if (!asked || asked.digest !== digest) return
    this.#open.delete(request)
    await this.#parts.program.answer(
      request,
      approved
        ? { behavior: 'allow', input: answeredInput(asked, answers), ...(message && { message }) }
        : { behavior: 'deny', message: message || 'The person said no.' },
    )
  }

  async withdraw(request: string) {
    this.#open.delete(request)
    const { permissions } = await this.#parts.state()
    return denials(
      permissions.filter((each) => each.request === request),
      'The program asks no more',
    )
  }

  /** The calls of a program that has ended are denied. */
  async close() {
    const { permissions } = await this.#parts.state()
    return denials(permissions, 'The program ended')
  }
}

/** A call that a rule of the program's own has decided. */
export function decidedCall({ toolName: tool, input: given, behavior, rule }: PermissionDecided) {
  const { toolName, input } = shownCall(tool, given)
  const told = startOf(rule, RULE_CHARS_MAX)
  return { type: 'permission_decided', data: { toolName, input, behavior, rule: told } }
}

function denials(permissions: TeamState['permissions'], message: string) {
  return permissions.map(({ request, digest }) => ({
    type: 'permission_answered',
    data: { request, digest, approved: false, message },
  }))
}

/** A call that asks a person something takes the answers with its input; every other is made as it was shown. */
function answeredInput({ input, isQuestion }: AskedCall, answers: PermissionAnswer['answers']) {
  return answers && isQuestion ? { ...membersOf(input), answers } : input
}
