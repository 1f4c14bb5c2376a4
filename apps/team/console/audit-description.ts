import { membersOf, textOf } from 'throughline/client'
import type { Json } from 'throughline/client'
import type { ThreadDescription } from '../../studio/index.ts'
import { listOf, plainValue, quoted, wordsOf } from '../../studio/story/index.ts'

/** The audit page's description of the team's thread. */
export const teamDescription: ThreadDescription = {
  tellings: {
    session_start: { sentence: (data) => `The program started with ${textOf(data, 'model')}` },
    session_end: { sentence: (data) => `The session ended: ${wordsOf(data, 'reason')}` },
    auth_state: {
      sentence: (data) =>
        textOf(data, 'authMethod') === 'none'
          ? 'No sign-in is set for the program'
          : `The program signs in by ${wordsOf(data, 'authMethod')}`,
    },
    server_error: { sentence: (data) => `The server failed: ${textOf(data, 'message')}` },
    claude_system: { sentence: 'The program named its tools' },
    claude_text: { sentence: (data) => saidBy('The lead', data) },
    claude_tool_result: { sentence: (data) => `The tool ${textOf(data, 'toolName')} answered` },
    claude_compact: { sentence: 'The program shortened what it remembers' },
    claude_result: { sentence: (data) => `The program’s turn ended: ${wordsOf(data, 'subtype')}` },
    user_message: {
      sentence: (data) => `${textOf(data, 'speakerName')}: ${quoted(textOf(data, 'text'))}`,
    },
    user_summon: { sentence: 'A person asked for a new agent' },
    user_wake: { sentence: 'A person woke agents' },
    user_session_start: { sentence: 'A person started a session' },
    user_session_end: { sentence: 'A person ended the session' },
    interrupt_asked: { sentence: 'A person stopped what the program was doing' },
    agent_registered: {
      sentence: (data) => `The agent ${textOf(membersOf(data)['agent'] ?? null, 'name')} was added`,
    },
    agent_status: { sentence: 'The program reported which agents are alive' },
    agent_work_offered: {
      sentence: (data) =>
        `${textOf(data, 'agentName')} was offered: ${plainValue(membersOf(data)['jobNames'])}`,
    },
    agent_message: { sentence: (data) => saidBy(textOf(data, 'agentName'), data) },
    artifact_written: { sentence: (data) => `The file ${textOf(data, 'filename')} was written` },
    screen_command: { sentence: (data) => `Drawn on the screen: ${textOf(data, 'command')}` },
    job_help: { sentence: 'The lead suggested how to fill in a job' },
    message_dropped: { sentence: 'A person dropped a message that was set aside' },
    job_saved: { sentence: (data) => `The job ${textOf(data, 'name')} was saved` },
    offer_declined: {
      sentence: (data) => `${textOf(data, 'agentName')} did not take a job that was offered`,
    },
    permission_asked: {
      sentence: (data) => `The program asked to use the tool ${textOf(data, 'toolName')}`,
    },
    permission_decided: {
      sentence: (data) => {
        const { behavior } = membersOf(data)
        const did = behavior === 'allow' ? 'let the call run' : 'refused the call'
        return `The rule ${textOf(data, 'rule')} ${did}`
      },
    },
    budget_set: { sentence: 'The session got a budget' },
    budget_spent: { sentence: (data) => textOf(data, 'message') },
    permission_rule_added: {
      sentence: (data) => `A person allowed “${textOf(data, 'pattern')}” for good`,
    },
    permission_rule_removed: { sentence: 'A person took back a command that was allowed for good' },
    permission_answered: {
      sentence: (data) =>
        membersOf(data)['approved'] === true ? 'The call was approved' : 'The call was refused',
    },
  },
}

function saidBy(who: string, data: Json): string {
  const texts = listOf(data, 'content').map((block) => textOf(block, 'text'))
  const text = texts.join(' ').trim()
  return text === '' ? `${who} worked without words` : `${who}: ${quoted(text)}`
}
