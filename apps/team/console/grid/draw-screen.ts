import { parseCommands } from '../../screen/commands.ts'
import type { ScreenCommand } from '../../screen/commands.ts'

export const SCREEN_WIDTH = 640
export const SCREEN_HEIGHT = 480
const TILE = 32

/** Colours of the screen, by number. */
const COLOURS = [
  '#101418',
  '#1d2b53',
  '#7e2553',
  '#008751',
  '#ab5236',
  '#5f574f',
  '#c2c3c7',
  '#fff1e8',
  '#ff004d',
  '#ffa300',
  '#ffec27',
  '#00e436',
  '#29adff',
  '#83769c',
  '#ff77a8',
  '#ffccaa',
] as const

const SCENES: Readonly<Record<string, number>> = { night: 1, day: 12, home: 4, garden: 3, space: 0 }

interface Pen {
  readonly canvas: CanvasRenderingContext2D
  colour: string
}

/** Draws all commands, the oldest first; a mark while there is none. */
export function drawScreen(canvas: CanvasRenderingContext2D, texts: readonly string[]): void {
  const pen: Pen = { canvas, colour: COLOURS[7] }
  fill(pen, COLOURS[0])
  const commands = texts.flatMap(parseCommands)
  if (commands.length === 0) return drawPixels(canvas, MARK)
  for (const command of commands) DRAW[command.name]?.(pen, command)
}

type Draw = (pen: Pen, command: ScreenCommand) => void

const DRAW: Readonly<Record<string, Draw>> = {
  COL: (pen, { numbers: [index = 7] }) => (pen.colour = COLOURS[index] ?? COLOURS[7]),
  CLR: (pen) => fill(pen, COLOURS[0]),
  BG: (pen, { text }) => fill(pen, COLOURS[SCENES[text] ?? 5] ?? COLOURS[5]),
  RECT({ canvas, colour }, { numbers: [x = 0, y = 0, width = 0, height = 0] }) {
    canvas.fillStyle = colour
    canvas.fillRect(x, y, width, height)
  },
  DOT({ canvas, colour }, { numbers: [x = 0, y = 0] }) {
    canvas.fillStyle = colour
    canvas.fillRect(x, y, 2, 2)
  },
  CIRC({ canvas, colour }, { numbers: [x = 0, y = 0, radius = 0] }) {
    canvas.fillStyle = colour
    canvas.beginPath()
    canvas.arc(x, y, radius, 0, Math.PI * 2)
    canvas.fill()
  },
  LINE({ canvas, colour }, { numbers: [x1 = 0, y1 = 0, x2 = 0, y2 = 0] }) {
    canvas.strokeStyle = colour
    canvas.lineWidth = 2
    canvas.beginPath()
    canvas.moveTo(x1, y1)
    canvas.lineTo(x2, y2)
    canvas.stroke()
  },
  T: (pen, { text }) => write(pen, text),
  PROG(pen, { numbers: [x = 0, y = 0, width = 0, share = 0] }) {
    const { canvas, colour } = pen
    canvas.strokeStyle = colour
    canvas.strokeRect(x, y, width, TILE / 2)
    canvas.fillStyle = colour
    canvas.fillRect(x, y, (width * Math.min(100, share)) / 100, TILE / 2)
  },
  FACE: drawFace,
}

function fill({ canvas }: Pen, colour: string): void {
  canvas.fillStyle = colour
  canvas.fillRect(0, 0, SCREEN_WIDTH, SCREEN_HEIGHT)
}

function write({ canvas, colour }: Pen, text: string): void {
  canvas.fillStyle = colour
  canvas.font = '24px monospace'
  canvas.fillText(text, TILE, SCREEN_HEIGHT - TILE)
}

function drawFace(pen: Pen, { text }: ScreenCommand): void {
  const state = text.replace(/^on\s*/, '') || 'idle'
  if (state === 'off') return
  fill(pen, COLOURS[1])
  drawPixels(pen.canvas, HEAD)
  drawPixels(pen.canvas, EYES[state] ?? OPEN)
  drawPixels(pen.canvas, MOUTHS[state] ?? SMILE)
}

/** Rectangles of pixels of 16: x, y, width, height, and the number of the colour. */
type Pixels = readonly (readonly [number, number, number, number, number])[]

const PIXEL = 16

function drawPixels(canvas: CanvasRenderingContext2D, pixels: Pixels): void {
  for (const [x, y, width, height, colour] of pixels) {
    canvas.fillStyle = COLOURS[colour] ?? COLOURS[7]
    canvas.fillRect(x * PIXEL, y * PIXEL, width * PIXEL, height * PIXEL)
  }
}

const MARK: Pixels = [
  [7, 14, 7, 2, 5],
  [26, 14, 7, 2, 5],
  [16, 9, 8, 2, 5],
  [16, 19, 8, 2, 5],
  [14, 11, 2, 8, 5],
  [24, 11, 2, 8, 5],
  [18, 13, 4, 4, 9],
]

const HEAD: Pixels = [
  [13, 4, 14, 17, 10],
  [12, 5, 16, 15, 10],
  [11, 6, 18, 13, 10],
  [12, 19, 16, 1, 9],
  [13, 20, 14, 1, 9],
  [28, 7, 1, 12, 9],
]

const OPEN: Pixels = [
  [15, 9, 3, 4, 0],
  [22, 9, 3, 4, 0],
  [17, 9, 1, 1, 7],
  [24, 9, 1, 1, 7],
]

const EYES: Readonly<Record<string, Pixels>> = {
  thinking: [
    [14, 8, 4, 1, 4],
    [21, 7, 4, 1, 4],
    [15, 11, 3, 2, 0],
    [22, 11, 3, 2, 0],
    [17, 11, 1, 1, 7],
    [24, 11, 1, 1, 7],
  ],
}

const SMILE: Pixels = [
  [16, 16, 8, 1, 0],
  [15, 15, 1, 1, 0],
  [24, 15, 1, 1, 0],
]

const MOUTHS: Readonly<Record<string, Pixels>> = {
  happy: [...SMILE, [17, 17, 6, 1, 2]],
  sad: [
    [16, 15, 8, 1, 0],
    [15, 16, 1, 1, 0],
    [24, 16, 1, 1, 0],
  ],
  talking: [[17, 15, 6, 3, 0]],
  thinking: [
    [18, 16, 5, 1, 0],
    [23, 15, 1, 1, 0],
  ],
}
