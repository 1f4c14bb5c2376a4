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
    waits: 'We send this when you are connected.',
    tryAgain: 'Try again',
    newMessages: 'New messages',
  },
  stop: {
    stop: 'Stop',
    stopping: 'Stopping',
    /** For a reply without text. */
    silent: 'Stopped before anything was said.',
    failed: 'The stop did not reach the server. Try again.',
    late: 'The reply was finished already. What follows from it goes on.',
  },
  /** Below what had been said of a reply. */
  cut: {
    stopped: 'Stopped before it was finished.',
    failed: 'Interrupted before it was finished.',
    length: 'This reply was too long and is cut off here. Ask for the rest.',
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
  /** What an agent asks of its tools; whether it was done stands beside it. */
  call: {
    ran: 'Run',
    read: 'Read',
    searched: 'Search',
    changed: 'Change',
    wrote: 'Write file',
    fetched: 'Fetch',
    helper: 'Ask a helper',
    planned: 'Plan',
    used: 'Use',
    inFolder: (pattern: string, folder: string) => `${pattern} in ${folder}`,
    command: 'the command',
    output: 'the output',
    outputOf: (what: string) => `Output of ${what}`,
    changeIn: (what: string) => `Change in ${what}`,
    input: 'Input',
    noOutput: 'No output.',
    cut: 'Only the beginning was kept.',
    lastLines: (shown: number, all: number) => `Last ${shown} of ${all} lines`,
    firstLines: (shown: number, all: number) => `First ${shown} of ${all} lines`,
    showAll: (all: number) => `Show all ${all} lines`,
    lines: (added: number, removed: number) => `${added} lines added, ${removed} removed`,
  },
  error: {
    summary: 'There is a problem',
    titlePrefix: 'Error: ',
    prefix: 'Error:',
  },
  connection: {
    opening: 'Opening',
    reconnecting: 'Connection lost. Trying to reconnect.',
    offline: 'You are offline. What you typed is safe on this device.',
    reload: 'Reload the page',
    restarted: 'Earlier messages are not shown. Reload the page to see them.',
    crashedTitle: 'Something went wrong on this page',
    crashed: 'What is recorded is safe. Reload the page to go on.',
  },
  /** The server has not answered yet: nothing is known about the link. */
  unreachable: {
    title: 'There is no connection yet',
    text: 'This page keeps trying. It opens as soon as our service answers.',
    acts: {
      online: 'Check that this device is online.',
      wait: 'Or wait: your link stays valid, and nothing is lost.',
    },
  },
  /** A link without a token that the server takes. */
  refusedLink: {
    title: 'This link does not open a case',
    text: 'It may be cut short, or it was turned off. The case itself is safe.',
    acts: {
      copy: 'Check that the whole link was copied.',
      newLink: 'If that does not help, ask for a new link.',
    },
  },
  /** The address of a page that was open before: its link may be right. */
  lostCase: {
    title: 'We cannot open this case now',
    text: 'Our server could not find this case.',
    acts: {
      wait: 'Wait a minute, then reload the page.',
      ownLink: 'Copied this address from a browser? Use the link that you were given.',
      newLink: 'If that does not help, ask for a new link.',
    },
  },
  /** The same for customers, for whom the start page is of no use. */
  customerRefused: {
    elsewhere: {
      title: 'Open your application with your link',
      text: 'This browser has not opened it yet. Your answers are safe.',
      acts: {
        ownLink: 'Open the link that your installer gave you. Check that you copied all of it.',
        saved: 'Saved this address on another phone or computer? You can also open it there.',
        newLink: 'If that does not help, ask your installer for a new link.',
      },
    },
    link: {
      title: 'This link does not open an application',
      text: 'It may be cut short, or it was turned off. Your application itself is safe.',
      acts: {
        copy: 'Check that the whole link was copied.',
        newLink: 'If that does not help, ask your installer for a new link.',
      },
    },
    lost: {
      title: 'We cannot find your application',
      text: 'Our service does not know it now. You did nothing wrong, and you have agreed to nothing new.',
      acts: {
        wait: 'Wait a minute, then reload the page.',
        ownLink: 'Open the link that your installer gave you.',
        newLink: 'If that does not help, ask your installer for a new link.',
      },
    },
  },
  erasedCase: {
    title: 'This case was erased',
    text: (day: string) =>
      `On ${day} the personal data of this case was erased for ever. Nothing more can happen in it.`,
    acts: {
      audit: 'The audit page shows what is left.',
      again: 'If the person wants to apply again, start a new case.',
    },
  },
  customerErased: {
    title: 'This application was erased',
    text: (day: string) =>
      `On ${day} we erased what you told us here. Nobody can read it any more, and nothing more can happen in this application.`,
    acts: { again: 'If you want to apply again, ask your installer for a new link.' },
  },
  deadEnd: { acts: 'What you can do', start: 'Go to the start' },
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
  palette: {
    places: 'Go to',
    name: 'Find or do anything',
    keys: 'Ctrl K',
    keysOnMac: '⌘ K',
    results: 'Results',
    found: (shown: number, count: number) =>
      shown === count
        ? `${count} found`
        : `${shown} of ${count} shown. Type more to find the rest.`,
    none: 'Nothing found. Try another word, or fewer.',
    help: '↑ ↓ move, Enter opens, Esc closes',
  },
  button: { kept: 'Sent when you are online' },
  copy: {
    copy: 'Copy',
    copied: 'Copied',
    failed: 'Not copied: this browser does not let pages copy. Select the text and copy it.',
  },
  choose: 'Choose one',
  change: 'Change',
  demo: 'Demo',
  step: (step: number, of: number) => `Step ${step} of ${of}`,
  progress: { done: 'done', now: 'now', later: 'later' },
  close: 'Close',
  code: 'Code',
  checklist: { known: 'Known', asks: 'Not clear', missing: 'Missing' },
  approval: {
    head: 'Needs you',
    why: 'Why you are asked',
    request: 'The request as it was made',
  },
}
