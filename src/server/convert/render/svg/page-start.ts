import type { Size } from '../../converter.ts'
import { shortNumber } from './numbers.ts'

/** The `<svg>` tag of a page and its white background; `view` is the size of the coordinate system. */
export function pageStart({ width, height }: Size, view: Size = { width, height }): string {
  const [w, h] = [shortNumber(view.width, 2), shortNumber(view.height, 2)]
  const size = `width="${shortNumber(width, 2)}" height="${shortNumber(height, 2)}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${w} ${h}"><path fill="#fff" d="M0 0h${w}v${h}H0z"/>`
}
