/** Characters of a tool's output that are kept. */
export const TOOL_OUTPUT_CHARS_MAX = 10_000
