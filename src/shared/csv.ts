/** CSV as spreadsheet programs read it: UTF-8 with a byte order mark, CRLF, and no cell that is taken for a formula. */

export const byteOrderMark = '\uFEFF'

export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

/** A leading quote keeps spreadsheet programs from evaluating what a user has typed; some take full-width signs, too. */
function toCell(value: string): string {
  const inert = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
