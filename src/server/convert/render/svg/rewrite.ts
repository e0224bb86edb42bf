import type { Size } from '../../converter.ts'
import { compactor, type CompactOptions } from './compact/compact.ts'
import type { ReplaceImage } from './sanitize/images.ts'
import { pageStart } from './page-start.ts'
import { sanitizeSvg } from './sanitize/sanitize.ts'
import { svgWriter } from './compact/writer.ts'

export interface RewriteOptions extends Size, CompactOptions {
  /** The size of the drawing's coordinate system; that of the page by default. */
  view?: Size
  replaceImage: ReplaceImage
}

/** Reused, which saves growing a new buffer for each page. */
const out = svgWriter()

/** Turns an untrusted drawing into a page that is safe to embed, and small: tags → sanitize → compact. */
export function rewriteSvg(bytes: Buffer, options: RewriteOptions): Buffer {
  out.take()
  out.text(pageStart(options, options.view))
  sanitizeSvg(bytes, options.replaceImage, compactor(out, bytes, options))
  out.text('</svg>')
  return out.take()
}
