export interface PreviewLimits {
  /** Pages; 0 means all. */
  max_preview: number
  /** Percent; 0 and 100 mean all. */
  max_preview_percent: number
}

/** How many pages of a document can be read without a download: the smaller of both limits, at least one. */
export function previewPages(pages: number, { max_preview, max_preview_percent }: PreviewLimits): number {
  const byCount = max_preview > 0 ? max_preview : pages
  const byShare = max_preview_percent > 0 ? Math.ceil((pages * max_preview_percent) / 100) : pages
  return Math.min(pages, Math.max(1, Math.min(byCount, byShare)))
}
