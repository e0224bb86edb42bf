/** What pages are shown on: white paper, sepia, or a dark ground with light text. */
export const grounds = ['day', 'sepia', 'night'] as const

export type Ground = (typeof grounds)[number]
