import { createHash, createHmac } from 'node:crypto'

/** The values of an owner's text: `{mobile}`, `{md5:{account}{secret}{timestamp}}` … */
export interface PlaceholderValues {
  mobile: string
  code: string
  minutes: string
  template: string
  sign: string
  account: string
  secret: string
  timestamp: string
}

type Escape = (value: string) => string

const digests: Record<string, (text: string, secret: string) => string> = {
  md5: (text) => createHash('md5').update(text).digest('hex'),
  hmacsha256: (text, secret) => createHmac('sha256', secret).update(text).digest('hex'),
}

/**
 * Fills in a text. A brace that begins no placeholder stands for itself, so that JSON can be written as it is. The values
 * are escaped for the place where they stand; inside a digest they are signed as they are.
 */
export function fillIn(text: string, values: PlaceholderValues, escape: Escape): string {
  let filled = ''
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('{', at)
    if (open === -1) break
    filled += text.slice(at, open)
    const found = readPlaceholder(text, open, values)
    filled += found ? escape(found.value) : '{'
    at = found?.end ?? open + 1
  }
  return filled + text.slice(at)
}

function readPlaceholder(
  text: string,
  open: number,
  values: PlaceholderValues,
): { value: string; end: number } | undefined {
  const [whole, name = ''] = /^\{([a-z0-9]+)\}/.exec(text.slice(open, open + 40)) ?? []
  if (whole && Object.hasOwn(values, name))
    return { value: values[name as keyof PlaceholderValues], end: open + whole.length }
  const [start, digest = ''] = /^\{(md5|hmacsha256):/.exec(text.slice(open, open + 40)) ?? []
  const close = start === undefined ? -1 : findClose(text, open)
  if (start === undefined || close === -1) return undefined
  const signed = fillIn(text.slice(open + start.length, close), values, (value) => value)
  return { value: digests[digest]?.(signed, values.secret) ?? '', end: close + 1 }
}

/** The brace that closes the one at `open`. */
function findClose(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return -1
}
