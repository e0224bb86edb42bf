/** Reading by whole screens: where one ends, and what a finger on it asks for. */

export interface LineBox {
  top: number
  bottom: number
}

/** A table or a picture that is so much of a screen is shown in part. */
const minShare = 0.4

/** The end of the screen between `top` and `bottom`, set so that it cuts no line: the next one begins there. */
export function screenEnd(lines: readonly LineBox[], { top, bottom }: LineBox): number {
  let end = bottom
  // Lines of table cells stand at different heights: a cut above one may go through another.
  for (let isCut = true; isCut;) {
    const cut = lines.filter((line) => line.top < end - 1 && line.bottom > end + 1)
    isCut = cut.length > 0
    if (isCut) end = Math.min(...cut.map((line) => line.top))
  }
  return end - top < minShare * (bottom - top) ? bottom : end
}

export type Turn = 'next' | 'previous' | 'bar'

/** The shortest swipe, in pixels: a shorter way is a tap. */
const minSwipe = 40

/** Undefined for a finger that has rested on the screen: it selects text. */
export function swipeOf({ x, y, ms }: { x: number; y: number; ms: number }): Turn | undefined {
  if (ms > 800 || Math.max(Math.abs(x), Math.abs(y)) < minSwipe) return undefined
  return (Math.abs(x) > Math.abs(y) ? x : y) < 0 ? 'next' : 'previous'
}

/** The turn that a tap asks for, by its share of the screen's width: sides turn, the middle shows and hides the bar. */
export function tapOf(x: number): Turn {
  return x < 0.3 ? 'previous' : x > 0.7 ? 'next' : 'bar'
}
