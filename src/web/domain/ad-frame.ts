import { adMessages } from '#shared/ad-frame.ts'

/** The owner's HTML as a document for a sandboxed frame, on the site and in the admin's preview. */
export function adDocument(content: string): string {
  return `<!doctype html><base target="_blank"><style>html,body{margin:0;height:100%;overflow:hidden;font:14px/1.5 sans-serif}body{display:grid;place-items:center}img{display:block;max-width:100%;max-height:100%}</style>${content}`
}

const defaultHeight = 90
const maxHeight = 600

/** A frame without scripts cannot report the height of its content, so the first `height` in the HTML is used. */
export function adHeight(content: string): number {
  const [, text] = /(?<![\w-])height\s*[=:]\s*["']?\s*(\d{1,4})(?:px)?(?![\w.%])/i.exec(content) ?? []
  const height = Number(text ?? defaultHeight)
  return height > 0 ? Math.min(height, maxHeight) : defaultHeight
}

/** The height that a frame with scripts reports, bounded; undefined for any other message. */
export function reportedHeight(message: unknown): number | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  if (!('type' in message && message.type === adMessages.height && 'height' in message)) return undefined
  const { height } = message
  if (typeof height !== 'number' || !Number.isFinite(height)) return undefined
  return Math.min(Math.max(0, Math.ceil(height)), maxHeight)
}
