/**
 * Every number that decides the order of results; docs/search.md has the table with an example. The score of a hit is the
 * weight of the best way in which it matched plus its bonuses. Equal scores are ordered newest first.
 */
export const weights = {
  /** The title contains the phrase. */
  titlePhrase: 1000,
  /** For a Latin fragment, the alternatives after the first: for "art" words that contain it, after those that begin with it. */
  titleFragment: 880,
  /** The title contains every word. */
  titleWords: 800,
  /** Title, keywords or description contain the phrase. */
  metadataPhrase: 600,
  /** Title, keywords and description together contain every word. */
  metadataWords: 560,
  /** A page contains the phrase. */
  pagePhrase: 400,
  pageFragment: 300,
  /** One page contains every word. */
  samePage: 200,
  /** Every word is somewhere in the entry. */
  sameEntry: 100,
} as const

/**
 * Added to the weight of a match in the words of another region: what was typed comes first. A query in traditional
 * characters means either, so that there only equal matches are ordered by it.
 */
export const regionalMalus = { simplified: -1000, traditional: -5 } as const

/** For a title or keywords, by the first rule that applies. */
export const metadataBonus = {
  exactTitle: 90,
  titleStartsWithWord: 60,
  titleHasWord: 40,
  titleStartsWith: 30,
  keywords: 50,
  max: 90,
} as const

/** The more pages match, the better; every doubling counts the same. */
export function pagesBonus(pages: number): number {
  return Math.min(60, 12 * Math.log2(pages))
}

export const maxQualityBonus = 30

/** Of a quality from 0 to 100. */
export function qualityBonus(quality: number): number {
  return (maxQualityBonus / 100) * Math.min(100, Math.max(0, quality))
}

/** Of one page, to choose the one to open: any page with the phrase beats all pages without it. */
export function pageScore(phraseHits: number, wordHits: readonly number[]): number {
  if (phraseHits > 0) return 10_000 + phraseHits
  const hits = wordHits.reduce((sum, count) => sum + count, 0)
  return wordHits.filter(Boolean).length * 100 + Math.min(99, hits)
}

/** Where entries have only most of the words: each word counts by its rarity. */
export const mostWords = {
  /** A word in the title counts this often. */
  titleFactor: 3,
  /** The share of the query, by rarity of its words, that an entry must have. */
  minShare: 0.5,
  /** For a title with all pairs of characters of the query. */
  titleResemblance: 1,
} as const

/** Letters as the pinyin of a title. */
export const pinyinMatch = {
  wholeTitle: 100,
  allInitials: 90,
  beginning: 80,
  firstInitials: 70,
  inside: 60,
  insideInitials: 50,
} as const
