/** Everything that the shared components say. */
export const WORDS = {
  actor: { person: 'Person', model: 'Assistant', rule: 'Rule', system: 'System' },
  chat: {
    you: 'You',
    assistant: 'Assistant',
    log: 'Conversation',
    message: 'Message',
    send: 'Send',
    sending: 'Sending',
    notSent: 'Not sent.',
    tryAgain: 'Try again',
    newMessages: 'New messages',
  },
  stop: {
    stop: 'Stop',
    stopping: 'Stopping',
    /** Where nothing had been said by then. */
    silent: 'Stopped before anything was said.',
    failed: 'The stop did not reach the server. Try again.',
    late: 'The reply was finished already. What follows from it goes on.',
  },
  /** Below what had been said of a reply. */
  cut: {
    stopped: 'Stopped before it was finished.',
    failed: 'Interrupted before it was finished.',
  },
  voice: {
    start: 'Speak',
    stop: 'Stop listening',
    status: {
      off: '',
      listening: 'Listening, through your browser’s speech service. Check the text, then send it.',
      blocked: 'This page may not use the microphone. Allow it in the browser, or type.',
      failed: 'The browser could not turn speech into text. Please type.',
    },
  },
  error: {
    summary: 'There is a problem',
    titlePrefix: 'Error: ',
    prefix: 'Error:',
  },
  connection: {
    opening: 'Opening',
    reconnecting: 'Connection lost. Trying to reconnect.',
    refusedTitle: 'This page cannot be opened',
    refused:
      'Our server could not find this case. Wait a minute, then reload the page. If that does not help, ask for a new link.',
    invalidLink: 'Use the whole link that you were given.',
    reload: 'Reload the page',
    restarted: 'Earlier messages are not shown. Reload the page to see them.',
    crashedTitle: 'Something went wrong on this page',
    crashed: 'What is recorded is safe. Reload the page to go on.',
  },
  turn: {
    modelFailed: 'The assistant could not reply. What you did is recorded.',
    interrupted: 'The answer was interrupted. What you did is recorded.',
    modelDeclined:
      'The assistant declined to answer that. What you did is recorded. Please say it in another way.',
    modelLimited:
      'The assistant cannot reply any more today. What you did is recorded. Please come back tomorrow.',
    failed: 'We could not confirm that this was recorded. Trying again is safe.',
    refused: 'This was not accepted. Nothing was changed.',
    tryAgain: 'Try again',
  },
  copy: { copy: 'Copy', copied: 'Copied' },
  choose: 'Choose one',
  change: 'Change',
}
