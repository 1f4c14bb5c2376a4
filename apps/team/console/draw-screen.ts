import { parseCommands } from '../screen/commands.ts'
import type { ScreenCommand } from '../screen/commands.ts'

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

const MOUTHS: Readonly<Record<string, number>> = {
  happy: 60,
  sad: -60,
  idle: 10,
  talking: 40,
  thinking: 0,
}

interface Pen {
  readonly canvas: CanvasRenderingContext2D
  colour: string
}

/** Draws all commands, the oldest first. */
export function drawScreen(canvas: CanvasRenderingContext2D, texts: readonly string[]): void {
  const pen: Pen = { canvas, colour: COLOURS[7] }
  fill(pen, COLOURS[0])
  for (const command of texts.flatMap(parseCommands)) DRAW[command.name]?.(pen, command)
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
  const { canvas } = pen
  fill(pen, COLOURS[1])
  canvas.fillStyle = COLOURS[10]
  for (const x of [240, 400]) canvas.fillRect(x - 20, 170, 40, state === 'thinking' ? 20 : 50)
  const bend = MOUTHS[state] ?? 10
  canvas.strokeStyle = COLOURS[10]
  canvas.lineWidth = 12
  canvas.beginPath()
  canvas.moveTo(230, 310)
  canvas.quadraticCurveTo(320, 310 + bend, 410, 310)
  canvas.stroke()
}
