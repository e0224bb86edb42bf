/** What the owner pasted as a page of its own: for a sandboxed frame, on the site and in its preview alike. */
export function framedAd(content: string): string {
  return `<!doctype html><base target="_blank"><style>html,body{margin:0;height:100%;overflow:hidden;font:14px/1.5 sans-serif}body{display:grid;place-items:center}img{display:block;max-width:100%;max-height:100%}</style>${content}`
}

const usual = 90
const most = 600

/** A closed frame cannot say how high its content is; the content's own first `height` does, if it has one. */
export function adHeight(content: string): number {
  const [, text] = /(?<![\w-])height\s*[=:]\s*["']?\s*(\d{1,4})(?:px)?(?![\w.%])/i.exec(content) ?? []
  const height = Number(text ?? usual)
  return height > 0 ? Math.min(height, most) : usual
}
