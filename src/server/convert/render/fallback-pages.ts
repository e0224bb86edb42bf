import type { Size } from '../converter.ts'
import { shortNumber } from './svg/numbers.ts'
import { pageStart } from './svg/page-start.ts'

/** A page that consists of one image. */
export function imagePage(size: Size, webp: Uint8Array): string {
  const data = Buffer.from(webp).toString('base64')
  const box = `width="${shortNumber(size.width, 2)}" height="${shortNumber(size.height, 2)}"`
  return `${pageStart(size)}<image ${box} preserveAspectRatio="none" href="data:image/webp;base64,${data}"/></svg>`
}

/** The page shown in place of one that cannot be rendered. */
export function blankPage(size: Size): string {
  const fontSize = Math.min(24, size.width / 10)
  const position = `x="${shortNumber(size.width / 2, 2)}" y="${shortNumber(size.height / 2, 2)}"`
  const font = `font-family="sans-serif" font-size="${shortNumber(fontSize, 2)}" text-anchor="middle" fill="#888"`
  return `${pageStart(size)}<text ${position} ${font}>本页无法显示</text></svg>`
}
