/** Bullets, and numbers as they stand before the items of a list. */
const bullet = /^([•·●○◦■□▪▫◆◇▶►➢➤✓✔※–—\-*‣])\s*(?=\S)/u
const number =
  /^(\d{1,3}[.、)）](?!\d)|[(（]\d{1,3}[)）]|[(（][一二三四五六七八九十]{1,3}[)）]|[①-⑳]|[a-z][)）.](?=\s))\s*(?=\S)/u
const dash = /^[–—\-*]/

/** Undefined for a line that begins no item. A dash needs a blank after it: some lines of prose begin with one. */
export function splitMarker(line: string): { marker: string; rest: string } | undefined {
  const [match, marker] = bullet.exec(line) ?? number.exec(line) ?? []
  if (match === undefined || marker === undefined) return undefined
  if (dash.test(marker) && !/^.\s/u.test(line)) return undefined
  return { marker, rest: line.slice(match.length) }
}
