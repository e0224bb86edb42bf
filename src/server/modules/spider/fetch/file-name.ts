import { cleanFileName } from '../../attachments/file-names.ts'

/** The name of a downloaded file: what its server calls it, else the end of its address; may be empty. */
export function findFileName(disposition: string | undefined, url: URL): string {
  const parameters = readParameters(disposition ?? '')
  const names = [
    decodeExtended(parameters.get('filename*') ?? ''),
    decodeAny(parameters.get('filename') ?? ''),
    decodeAny(url.pathname.slice(url.pathname.lastIndexOf('/') + 1)),
  ]
  return names.map(cleanFileName).find((name) => name !== '') ?? ''
}

/** The parameters of a header as Node gives it: each character is a byte. The first of a name counts. */
function readParameters(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of header.matchAll(parameter)) {
    const key = name.toLowerCase()
    // Only these two are escaped: old servers send whole Windows paths.
    const value = quoted === undefined ? plain.trim() : quoted.replace(/\\(["\\])/g, '$1')
    if (!parameters.has(key)) parameters.set(key, value)
  }
  return parameters
}

const parameter = /;\s*([\w!#$&+.^`|~*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g

/** RFC 5987: `UTF-8'zh'%E6%96%87`. */
function decodeExtended(value: string): string {
  const [, charset = '', encoded = ''] = /^([\w-]+)'[\w-]*'(.*)$/.exec(value) ?? []
  try {
    return new TextDecoder(charset, { fatal: true }).decode(toBytes(encoded))
  } catch {
    return ''
  }
}

/** Bytes in UTF-8 or GBK, some of them perhaps percent-encoded. */
function decodeAny(value: string): string {
  const bytes = toBytes(value)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

function toBytes(value: string): Buffer {
  const decoded = value.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(decoded, 'latin1')
}
