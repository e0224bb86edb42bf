import type { Pixels } from './webp.ts'

/** Enough for a colour, however large the picture is. */
const maxSamples = 6000
const hueBins = 12
/** Below these a pixel is paper, ink or a shadow, not a colour. */
const minSaturation = 0.22
const minLightness = 0.08
const maxLightness = 0.94
/** A few coloured letters on a white page are no tint. */
const minShare = 0.04

/** The most frequent colour of a picture as #rrggbb; empty for pictures without colours. */
export function findTint({ data }: Pixels): string {
  const pixels = Math.floor(data.length / 3)
  const step = Math.max(1, Math.floor(pixels / maxSamples))
  const bins = Array.from({ length: hueBins }, () => ({ weight: 0, red: 0, green: 0, blue: 0 }))
  let samples = 0
  for (let pixel = 0; pixel < pixels; pixel += step) {
    samples += 1
    const [red = 0, green = 0, blue = 0] = data.subarray(pixel * 3, pixel * 3 + 3)
    const hue = hueOf(red, green, blue)
    if (hue === undefined) continue
    const bin = bins[Math.floor(hue * hueBins) % hueBins]
    if (!bin) continue
    bin.weight += 1
    bin.red += red
    bin.green += green
    bin.blue += blue
  }
  const strongest = bins.reduce((best, bin) => (bin.weight > best.weight ? bin : best))
  if (samples === 0 || strongest.weight / samples < minShare) return ''
  const { red, green, blue, weight } = strongest
  return `#${[red, green, blue]
    .map((sum) =>
      Math.round(sum / weight)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/** The hue from 0 to 1; undefined for grey, white and black. */
function hueOf(red: number, green: number, blue: number): number | undefined {
  const max = Math.max(red, green, blue)
  const min = Math.min(red, green, blue)
  const chroma = max - min
  const lightness = (max + min) / 510
  if (lightness < minLightness || lightness > maxLightness || chroma < minSaturation * max) return undefined
  const sector =
    max === red ? (green - blue) / chroma : max === green ? 2 + (blue - red) / chroma : 4 + (red - green) / chroma
  return ((sector + 6) % 6) / 6
}
