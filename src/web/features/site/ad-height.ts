const usual = 90
const most = 600

/** A closed frame cannot say how high its content is; the content's own first `height` does, if it has one. */
export function adHeight(content: string): number {
  const [, text] = /\bheight\s*[=:]\s*["']?\s*(\d{1,4})(?:px)?\b(?!%)/i.exec(content) ?? []
  const height = Number(text ?? usual)
  return height > 0 ? Math.min(height, most) : usual
}
