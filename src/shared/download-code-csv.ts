import { byteOrderMark, toCsvLine } from './csv.ts'

/** The file of a new batch: the only copy of its codes. */
export function downloadCodeCsv(
  codes: readonly string[],
  about: { kind: string; validity: string; note: string },
): string {
  const header = toCsvLine(['下载码', '用途', '有效期', '备注'])
  const lines = codes.map((code) => toCsvLine([code, about.kind, about.validity, about.note]))
  return byteOrderMark + header + lines.join('')
}
