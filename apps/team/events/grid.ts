export const LEAD_NAME = 'Julian'
/** The lead's place in the grid of nine. */
export const LEAD_POSITION = 4

/** The colours of the grid, by position. */
export const PALETTE = [
  { color: '#c9b1e8', colorName: 'lilac' },
  { color: '#755d00', colorName: 'olive' },
  { color: '#00afd1', colorName: 'cyan' },
  { color: '#007e98', colorName: 'teal' },
  { color: '#FFD600', colorName: 'yellow' },
  { color: '#c85cb4', colorName: 'magenta' },
  { color: '#da89c9', colorName: 'pink' },
  { color: '#B8DDE6', colorName: 'sky' },
  { color: '#F2C4B0', colorName: 'peach' },
] as const
