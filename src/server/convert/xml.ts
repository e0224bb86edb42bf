/**
 * For text and attribute values; characters that XML does not allow are dropped. In this folder because the sandbox shows
 * the tasks nothing above it.
 */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]|[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, (char) => escapes[char] ?? '')
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
