import { InvalidNotice } from '../pay-provider.ts'

/** The fields of a request, an answer or a notice, as they are signed. */
export type Fields = Record<string, string>

/** Duplicate fields could be signed with one value and read with the other. */
export function parseForm(text: string): Fields {
  const entries = [...new URLSearchParams(text)]
  if (new Set(entries.map(([name]) => name)).size < entries.length) throw new InvalidNotice('通知里有重复的字段')
  return Object.fromEntries(entries)
}

/** The plain values of an answer as PHP, which signs them there, writes them; nested ones are not signed. */
export function textFields(answer: Record<string, unknown>): Fields {
  const entries = Object.entries(answer).map(([name, value]) => [name, textOf(value)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Fields
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return typeof value === 'boolean' ? (value ? '1' : '') : undefined
}

/**
 * What gateways take as the name of a product: no percent sign and nothing outside the basic plane, which some of them
 * store in another form than the signed one.
 */
export function productName(title: string, maxBytes = 120): string {
  const plain = title
    .replaceAll('%', '％')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u{10000}-\u{10ffff}\s]+/gu, ' ')
    .trim()
  let name = ''
  for (const character of plain) {
    if (Buffer.byteLength(name + character) > maxBytes) break
    name += character
  }
  return name.trim() || '订单'
}
