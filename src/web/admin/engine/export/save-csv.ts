import { byteOrderMark, toCsvLine } from '#shared/csv.ts'
import { saveFile } from '#web/lib/browser/save-file.ts'

const type = 'text/csv; charset=utf-8'

/** Lets the browser save a table: its header, then its rows. */
export function saveCsv(name: string, lines: readonly (readonly string[])[]): void {
  saveFile({ name, type, body: new Blob([byteOrderMark, ...lines.map(toCsvLine)], { type }) })
}
