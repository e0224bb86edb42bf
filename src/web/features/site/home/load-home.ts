import { DocumentStatus } from '#shared/document-status.ts'
import { BannerType } from '#shared/enums.ts'
import { documents, type Document } from '#shared/contract/documents.ts'
import { searches } from '#shared/contract/search.ts'
import { banners, friendlinks } from '#shared/contract/site.ts'
import { settings } from '#shared/contract/settings.ts'
import { stats } from '#shared/contract/stats.ts'
import { topics } from '#shared/contract/topics.ts'
import { toDocumentSummary, toCoverTile } from '#web/features/documents/browse/document-summary.ts'
import type { FeaturedDocument } from '#web/features/documents/home/featured.tsx'
import type { PopularDocument } from '#web/features/documents/home/popular.tsx'
import { toTopicCard } from '#web/features/topics/topic-card.ts'
import { loadAds } from '#web/domain/load-site.ts'
import type { LoadArgs } from '#web/lib/load.ts'

/** All requests run at once, for both versions of the page. */
export async function loadHome({ api }: LoadArgs) {
  const [counts, friends, slides, ads, { display }, hot, recommended, newest, home, published, ranked, read, active] =
    await Promise.all([
      api(stats.get),
      api(friendlinks.list, { enable: [true], field: ['id', 'title', 'link'] }),
      api(banners.list, { enable: [true], type: [BannerType.Website], field: ['id', 'title', 'path', 'url'] }),
      loadAds(api, ['index_banner_bottom', 'index_category_top', 'index_category_bottom', 'index_link_top']),
      api(settings.get),
      api(searches.hot).catch(() => ({ word: [] })),
      api(documents.list, {
        is_recommend: [true],
        status: [DocumentStatus.Converted],
        order: 'recommend_at desc',
        limit: 14,
      }),
      api(documents.list, { status: [DocumentStatus.Converted], order: 'id desc', limit: 10 }),
      api(documents.home, { limit: 8, most: 8, field: ['width', 'height', 'cover_tint', 'username'] }),
      api(topics.published, { page: 1, size: 4 }),
      api(documents.ranking, { by: 'read', period: 'week', limit: 6 }),
      api(documents.beingRead),
      api(documents.activeAuthors),
    ])
  const version = versions[display.home_version === 'v2' ? 'v2' : 'v1']
  const limits = version.section[display.index_document_style === 'list' ? 'list' : 'card']
  const { document_count, article_count, user_count } = counts
  return {
    counts: { document_count, article_count, user_count },
    ads,
    hot: hot.word,
    banners: slides.banner.map(({ id, title, path, url }) => ({ id, title, path, url })),
    friends: friends.friendlink.map(({ id, title, link }) => ({ id, title, link })),
    recommended: recommended.document.slice(0, version.recommended).map(toFeatured),
    newest: newest.document
      .slice(0, version.newest)
      .map(({ uuid, title, ext, created_at }) => ({ uuid, title, ext, created_at })),
    sections: home.document
      .filter(({ document }) => document.length > 0)
      .slice(0, limits.max)
      .map(({ category_id, category_name, document }) => ({
        id: category_id,
        name: category_name,
        documents: document.slice(0, limits.documents).map(toCoverTile),
      })),
    topics: published.topic.filter(({ count }) => count > 0).map(toTopicCard),
    ranked: ranked.document.map((document) => toPopular(document, document.ranking_count, '次阅读')),
    beingRead: read.document.slice(0, maxRead).map((document) => toPopular(document, document.reader_count, '人在读')),
    authors: {
      days: active.days,
      authors: active.author.map(({ id, username, avatar, count }) => ({ id, username, avatar, count })),
    },
    now: Date.now(),
  }
}

const maxRead = 6

/** How many documents and categories each version shows. */
const versions = {
  v1: {
    recommended: 12,
    newest: 10,
    section: { card: { documents: 4, max: 8 }, list: { documents: 8, max: 5 } },
  },
  v2: {
    recommended: 14,
    newest: 8,
    section: { card: { documents: 4, max: 6 }, list: { documents: 6, max: 4 } },
  },
}

/** The first two are shown large, with their description. */
function toFeatured(document: Document, index: number): FeaturedDocument {
  return { ...toCoverTile(document), description: index < 2 ? toDocumentSummary(document).description : '' }
}

/** The site may keep its counts to itself: then they are 0. */
function toPopular(document: Document, count: number, unit: string): PopularDocument {
  return { ...toCoverTile(document), note: count > 0 ? `${count} ${unit}` : '' }
}
