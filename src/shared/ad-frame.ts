/** Advertisements whose scripts may run are pages of their own, in a frame that has an opaque origin. */

export function adFramePath(id: number | string): string {
  return `/advertisement/${id}`
}

/** No `allow-same-origin`: the scripts read neither the site's pages nor its storage. */
export const adSandbox = 'allow-scripts allow-popups allow-popups-to-escape-sandbox'

/** What the frame and the page say to each other: the page asks for the height, the frame reports it, in CSS pixels. */
export const adMessages = { ask: 'wendou:ad-height?', height: 'wendou:ad-height' } as const
