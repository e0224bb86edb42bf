/** The advisory locks of PostgreSQL, in one list so that no two share a key. */
export const AdvisoryLock = {
  Migration: 7_305_801,
  Restore: 7_305_802,
  CategoryCounts: 7_305_803,
  SpiderHosts: 7_305_804,
  SpiderAddresses: 7_305_805,
  SpiderArticles: 7_305_806,
  EqualContent: 7_305_807,
  SearchSchema: 7_340_113,
  SearchVocabulary: 7_340_114,
} as const
