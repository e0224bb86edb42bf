import type { Size } from '../converter.ts'
import { shortNumber } from './svg/numbers.ts'

/** A page that is one picture. */
export function picturePage({ width, height }: Size, webp: Uint8Array): string {
  const data = Buffer.from(webp).toString('base64')
  const box = `width="${shortNumber(width, 2)}" height="${shortNumber(height, 2)}"`
  return page({ width, height }, `<image ${box} preserveAspectRatio="none" href="data:image/webp;base64,${data}"/>`)
}

/** A page that cannot be drawn, and says so. */
export function blankPage(size: Size): string {
  const letters = Math.min(24, size.width / 10)
  const place = `x="${shortNumber(size.width / 2, 2)}" y="${shortNumber(size.height / 2, 2)}"`
  const font = `font-family="sans-serif" font-size="${shortNumber(letters, 2)}" text-anchor="middle" fill="#888"`
  return page(size, `<text ${place} ${font}>本页无法显示</text>`)
}

function page({ width, height }: Size, content: string): string {
  const w = shortNumber(width, 2)
  const h = shortNumber(height, 2)
  const paper = `<path fill="#fff" d="M0 0h${w}v${h}H0z"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${paper}${content}</svg>`
}
