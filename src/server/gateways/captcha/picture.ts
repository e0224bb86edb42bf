import { randomInt } from 'node:crypto'

/** Characters as strokes in a box of 10 by 16: drawing needs no installed font. */
const strokes: Record<string, string> = {
  '0': 'M5 1C1 1 1 15 5 15C9 15 9 1 5 1Z',
  '1': 'M2 4L6 1V15M3 15H9',
  '2': 'M1 5C1 0 9 0 9 5C9 9 1 11 1 15H9',
  '3': 'M1 3C4 0 9 1 8 5C8 7 6 8 4 8C7 8 9 9 9 11C9 15 4 16 1 13',
  '4': 'M7 15V1L1 11H10',
  '5': 'M9 1H2V7C5 5 9 7 9 10C9 14 5 16 1 14',
  '6': 'M8 1C4 3 1 8 1 11C1 16 9 16 9 11C9 7 3 7 1 11',
  '7': 'M1 1H9L4 15',
  '8': 'M5 8C1 7 1 1 5 1C9 1 9 7 5 8C0 9 0 15 5 15C10 15 10 9 5 8Z',
  '9': 'M9 5C7 9 1 9 1 5C1 0 9 0 9 5C9 9 6 13 3 15',
  a: 'M2 8C4 6 8 6 8 9V15M8 10C4 9 1 11 2 13C3 16 7 15 8 12',
  b: 'M2 1V15M2 9C5 5 9 8 9 11C9 15 5 16 2 13',
  c: 'M9 8C6 5 1 7 1 11C1 15 6 16 9 13',
  d: 'M8 1V15M8 9C5 5 1 8 1 11C1 15 5 16 8 13',
  e: 'M1 11H9C9 5 1 5 1 11C1 15 6 16 9 13',
  f: 'M8 2C6 0 4 1 4 4V15M1 7H8',
  g: 'M8 7V14C8 17 3 17 1 15M8 9C5 5 1 7 1 10C1 14 5 14 8 11',
  h: 'M2 1V15M2 10C4 6 8 6 8 10V15',
  j: 'M7 6V13C7 16 3 17 1 15M7 2V3',
  k: 'M2 1V15M8 6L2 11L8 15',
  m: 'M1 15V7M1 9C2 6 5 6 5 9V15M5 9C6 6 9 6 9 9V15',
  n: 'M2 15V7M2 10C4 6 8 6 8 10V15',
  p: 'M2 7V16M2 9C5 5 9 7 9 10C9 14 5 15 2 12',
  q: 'M8 7V16M8 9C5 5 1 7 1 10C1 14 5 15 8 12L10 16',
  r: 'M3 15V7M3 10C4 7 7 6 9 8',
  s: 'M8 8C5 6 1 7 2 9C3 11 8 10 8 13C8 16 3 16 1 14',
  t: 'M4 2V12C4 15 6 15 8 14M1 6H8',
  u: 'M2 7V12C2 16 8 16 8 12M8 7V15',
  v: 'M1 7L5 15L9 7',
  w: 'M1 7L3 15L5 9L7 15L9 7',
  x: 'M1 7L9 15M9 7L1 15',
  y: 'M1 7L5 13M9 7L3 16',
  z: 'M1 7H9L1 15H9',
  '+': 'M5 4V12M1 8H9',
  '-': 'M1 8H9',
  '=': 'M1 6H9M1 10H9',
  '?': 'M1 5C1 0 9 0 9 5C9 8 5 8 5 11M5 14V15',
}

export async function draw(text: string, { width, height }: { width: number; height: number }): Promise<Buffer> {
  // Loaded on demand: most sites seldom need it.
  const { default: sharp } = await import('sharp')
  const step = width / (text.length + 0.6)
  const scale = Math.min(step / 13, height / 22)
  const glyphs = text.split('').map((character, index) => glyph(character, step * (index + 0.55), height, scale))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#f4f6f5"/>${noise(width, height)}${glyphs.join('')}${waves(width, height)}</svg>`
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true, colours: 32 }).toBuffer()
}

function glyph(character: string, x: number, height: number, scale: number): string {
  const size = scale * (0.88 + randomInt(25) / 100)
  const y = (height - 16 * size) / 2 + randomInt(-4, 5) * (height / 60)
  const transform = `translate(${x} ${y}) scale(${size}) rotate(${randomInt(-18, 19)} 5 8) skewX(${randomInt(-12, 13)})`
  const color = `hsl(${randomInt(360)} 45% ${randomInt(26, 42)}%)`
  return `<path d="${strokes[character] ?? ''}" transform="${transform}" fill="none" stroke="${color}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>`
}

function noise(width: number, height: number): string {
  const dot = () =>
    `<circle cx="${randomInt(width)}" cy="${randomInt(height)}" r="${randomInt(1, 3)}" fill="hsl(${randomInt(360)} 35% 70%)"/>`
  return Array.from({ length: 30 }, dot).join('')
}

function waves(width: number, height: number): string {
  const wave = () => {
    const [from, to] = [randomInt(height), randomInt(height)]
    const bend = [width / 3, randomInt(height), (width / 3) * 2, randomInt(height)].join(' ')
    return `<path d="M0 ${from}C${bend} ${width} ${to}" fill="none" stroke="hsl(${randomInt(360)} 40% 55%)" stroke-width="1.4"/>`
  }
  return wave() + wave()
}
