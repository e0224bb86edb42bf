import type { CSSProperties } from 'react'
import {
  toCss,
  type Box,
  type Crop,
  type Length,
  type Rotation,
} from '#web/features/documents/reader/pages/page-layout.ts'

/**
 * The CSS of a page's box. Before the first measurement only CSS knows whether margins are cropped (`--cropped` is 0 or 1,
 * see app.css): with `cropped` given, the style holds for both.
 */
export function boxStyle(box: Box, cropped: Box = box): Record<'top' | 'left' | 'width' | 'height', string> {
  const left = eitherCss(box.left, cropped.left)
  return {
    top: eitherCss(box.top, cropped.top),
    width: eitherCss(box.width, cropped.width),
    height: eitherCss(box.height, cropped.height),
    left: `calc(max(0px, (100cqi - ${eitherCss(box.row, cropped.row)}) / 2) + ${left})`,
  }
}

export function eitherCss(plain: Length, cropped: Length): string {
  const [column, px] = [cropped.column - plain.column, cropped.px - plain.px]
  return column === 0 && px === 0 ? toCss(plain) : `calc(${toCss(plain)} + ${toCss({ column, px })} * var(--cropped))`
}

/**
 * The layer of a page inside its box, which shows a part of it: picture, text and marks keep their places on the page.
 * `crop` is what is cut off; with `isCertain` false, only if CSS says so.
 */
export function layerStyle(crop: Crop | undefined, rotation: Rotation, isCertain: boolean): CSSProperties | undefined {
  if (!crop && rotation === 0) return undefined
  const { left, top, right, bottom } = crop ?? { left: 0, top: 0, right: 0, bottom: 0 }
  const factor = isCertain ? '' : ' * var(--cropped)'
  const [across, along] = rotation % 180 === 0 ? ['cqw', 'cqh'] : ['cqh', 'cqw']
  const side = (unit: string | undefined, cut: number) =>
    `calc(100${unit} + ${round((100 * cut) / (1 - cut))}${unit}${factor})`
  const shift = (cut: number) => `calc(${round(-100 * cut)}%${factor})`
  return {
    width: side(across, left + right),
    height: side(along, top + bottom),
    transformOrigin: '0 0',
    transform: `${rotations[rotation]}translate(${shift(left)}, ${shift(top)})`,
  }
}

/** Around the corner of the box that the page's upper left corner comes to. */
const rotations: Record<Rotation, string> = {
  0: '',
  90: 'translate(100cqw, 0) rotate(90deg) ',
  180: 'translate(100cqw, 100cqh) rotate(180deg) ',
  270: 'translate(0, 100cqh) rotate(270deg) ',
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
