/** The accent colour that the owner chose, adjusted to be readable on light and dark backgrounds (WCAG AA). */

export interface Accent {
  light: string
  onLight: string
  dark: string
  onDark: string
}

export function toAccent(color: string): Accent {
  const chosen = parseColor(color) ?? parseColor(fallback) ?? black
  const light = shiftTowards(chosen, black, (tone) => contrast(tone, lightBackground) >= minContrast)
  const dark = shiftTowards(chosen, white, (tone) => contrast(tone, darkBackground) >= minContrast)
  return { light: hex(light), onLight: textOn(light), dark: hex(dark), onDark: textOn(dark) }
}

export function contrast(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

export function parseColor(color: string): Rgb | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color.trim())
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color.trim())
  const [, r, g, b] = short ?? long ?? []
  if (r === undefined || g === undefined || b === undefined) return undefined
  const channel = (text: string) => Number.parseInt(text.length === 1 ? text + text : text, 16)
  return [channel(r), channel(g), channel(b)]
}

type Rgb = readonly [number, number, number]

const fallback = '#1f6f5c'
const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]
// Of the backgrounds in app.css behind accent-coloured text, those with the least contrast.
const lightBackground: Rgb = [0xf2, 0xf2, 0xee]
const darkBackground: Rgb = [0x26, 0x2a, 0x28]
const ink: Rgb = [0x12, 0x16, 0x14]
const minContrast = 4.6

/** Keeps the hue and changes the lightness by small steps until the colour is readable. */
function shiftTowards(from: Rgb, to: Rgb, isReadable: (tone: Rgb) => boolean): Rgb {
  const [hue, saturation, start] = toHsl(from)
  const end = to === white ? 1 : 0
  for (let step = 0; step < 40; step += 1) {
    const tone = step === 0 ? from : fromHsl(hue, saturation, start + ((end - start) * step) / 40)
    if (isReadable(tone)) return tone
  }
  return to
}

function toHsl(rgb: Rgb): Rgb {
  const [r, g, b] = [rgb[0] / 255, rgb[1] / 255, rgb[2] / 255]
  const max = Math.max(r, g, b)
  const chroma = max - Math.min(r, g, b)
  const lightness = max - chroma / 2
  if (chroma === 0) return [0, 0, lightness]
  const sector = max === r ? (g - b) / chroma : max === g ? 2 + (b - r) / chroma : 4 + (r - g) / chroma
  return [(sector * 60 + 360) % 360, chroma / (1 - Math.abs(2 * lightness - 1)), lightness]
}

function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  const amplitude = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const position = (offset + hue / 30) % 12
    return Math.round(255 * (lightness - amplitude * Math.max(-1, Math.min(position - 3, 9 - position, 1))))
  }
  return [channel(0), channel(8), channel(4)]
}

function textOn(tone: Rgb): string {
  return hex(contrast(tone, white) >= contrast(tone, ink) ? white : ink)
}

function luminance(rgb: Rgb): number {
  const [r = 0, g = 0, b = 0] = rgb.map((value) => {
    const part = value / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function hex(rgb: Rgb): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
