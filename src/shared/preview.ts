interface PreviewLimits {
  /** Pages of a document with a price; 0 means all. */
  max_preview: number
  /** Pages of a free document; 0 means all. */
  max_preview_free: number
  /** Percent, of both; 0 and 100 mean all. */
  max_preview_percent: number
}

interface Settings {
  converter: PreviewLimits
}

/** How many pages of a document can be read without a download: the smaller of both limits, at least one. */
export function previewPages({ pages, price }: { pages: number; price: number }, settings: Settings): number {
  const { max_preview_percent } = settings.converter
  const byCount = maxPreview(price, settings) || pages
  const byShare = max_preview_percent > 0 ? Math.ceil((pages * max_preview_percent) / 100) : pages
  return Math.min(pages, Math.max(1, Math.min(byCount, byShare)))
}

/** The limit in pages for documents of this price; 0 means all. */
export function maxPreview(price: number, { converter: { max_preview, max_preview_free } }: Settings): number {
  return price > 0 ? max_preview : max_preview_free
}
