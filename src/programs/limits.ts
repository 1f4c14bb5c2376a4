/** Bytes of one frame of a program's stream. */
export const REMOTE_FRAME_BYTES_MAX = 8 * 1024 * 1024
/** Bytes of one stream: of the answer to one request. */
export const REMOTE_STREAM_BYTES_MAX = 64 * 1024 * 1024
/** Events of one stream. */
export const REMOTE_EVENTS_MAX = 100_000
/** How long a program may say nothing, keep-alive comments included. */
export const REMOTE_SILENCE_MAX_MS = 120_000
/** Redirects that one request to an agent of another server follows. */
export const REMOTE_REDIRECTS_MAX = 3
/** How long a remote agent may take to answer that its run is to stop. */
export const REMOTE_STOP_MAX_MS = 5_000
/** Characters of one change of a remote agent's state, where that is the state of the thread. */
export const AGENT_STATE_CHARS_MAX = 250_000
/** Names of headers that go on to a remote agent. */
export const FORWARDED_HEADERS_MAX = 32
/** Events that may come behind the end of a run and still close something. */
export const REMOTE_BEHIND_MAX = 100
/** How long a stream may stay open after the end of its run. */
export const REMOTE_CLOSE_MAX_MS = 2_000
/** Characters of an id or a name that a program gives. */
export const REMOTE_ID_CHARS_MAX = 512
/** Characters of a value that goes on record as it came: RAW, CUSTOM, an activity, the program's state. */
export const REMOTE_VALUE_CHARS_MAX = 100_000
/** Characters of one delta on record; a longer one becomes several. */
export const REMOTE_DELTA_CHARS_MAX = 50_000
/** Questions that a program may ask at once, and values that it may ask for in one. */
export const REMOTE_QUESTIONS_MAX = 32
/** Events of the domain that a program may propose in one stream. */
export const REMOTE_PROPOSALS_MAX = 100
/** Levels of sub-agents that a program may have below it. */
export const REMOTE_DEPTH_MAX = 16
/** Characters of a message with which a program failed. */
export const REMOTE_MESSAGE_CHARS_MAX = 2_000
/** Bytes of one line of a program's output; a longer one is left out. */
export const PROGRAM_LINE_BYTES_MAX = 10 * 1024 * 1024
/** Characters of a prompt that is written to a program. */
export const PROGRAM_PROMPT_CHARS_MAX = 1_000_000
/** How long a program may take until it answers for the first time. */
export const PROGRAM_START_MAX_MS = 30_000
/** How long a program may print nothing while it works on a turn. */
export const PROGRAM_TURN_SILENCE_MAX_MS = 600_000
/** How long nothing may be asked of a program and nothing come from it before it is ended. */
export const PROGRAM_INACTIVITY_MAX_MS = 900_000
/** How long nothing may come behind the answer that ends a turn, or that a conversation is loaded, until it counts. */
export const PROGRAM_QUIET_MS = 300
/** How long output may put that off. */
export const PROGRAM_QUIET_MAX_MS = 10_000
/** How long a program may take to end its turn after an interrupt. */
export const PROGRAM_INTERRUPT_MAX_MS = 10_000
/** How long a program may take to end after SIGTERM, before SIGKILL. */
export const PROGRAM_STOP_MAX_MS = 5_000
/** Events of a program that may wait for their reader before its output is not read on. */
export const PROGRAM_WAITING_EVENTS_MAX = 1_000
/** Characters of those events' lines. */
export const PROGRAM_WAITING_CHARS_MAX = 256 * 1024
/** Characters that are kept of the end of a program's standard error. */
export const PROGRAM_STDERR_CHARS_MAX = 4_000
/** Messages, calls, tasks and questions that may be open in a program's session, of each. */
export const PROGRAM_OPEN_MAX = 1_000
/** Characters of a request for permission on record; a longer id is recorded as its SHA-256. */
export const PROGRAM_REQUEST_CHARS_MAX = 200
/** Characters of a call's input, as JSON, that a person can be shown; permission for a longer one is refused. */
export const PROGRAM_SHOWN_CHARS_MAX = 10_000
/** Ids of messages and calls that are remembered to notice one that comes again. */
export const PROGRAM_IDS_MAX = 10_000
/** Ids of a conversation's lines, and of its messages, that are remembered to leave out what is printed again. */
export const PROGRAM_REPEATS_MAX = 1_000
/** Characters of one message that a program's session puts together; the rest is another message. */
export const PROGRAM_MESSAGE_CHARS_MAX = 250_000
/** Processes of one program at once, one for each conversation. */
export const PROGRAM_SESSIONS_MAX = 16
/** How often a program's process may be started again in one run. */
export const PROGRAM_RESTARTS_MAX = 2
