import { documents, type Document } from '#shared/contract/documents.ts'
import { searches } from '#shared/contract/search.ts'
import { banners, friendlinks } from '#shared/contract/site.ts'
import { settings, stats } from '#shared/contract/system.ts'
import { listed, tile, type Tile } from '#web/features/documents/browse/listed.ts'
import type { Feature } from '#web/features/documents/home/featured.tsx'
import { loadAds } from '#web/lib/load-site.ts'
import type { Given } from '#web/lib/load.ts'

/** All in one round, whichever version is shown and however many categories there are. */
export async function loadHome({ api }: Given) {
  const [figures, friends, slides, ads, open, hot, recommended, newest, home] = await Promise.all([
    api(stats.get),
    api(friendlinks.list, { enable: [true], field: ['id', 'title', 'link'] }),
    api(banners.list, { enable: [true], type: [0], field: ['id', 'title', 'path', 'url'] }),
    loadAds(api, ['index_banner_bottom', 'index_category_top', 'index_category_bottom', 'index_link_top']),
    api(settings.get),
    api(searches.hot).catch(() => ({ word: [] })),
    api(documents.list, { is_recommend: [true], status: [2], order: 'recommend_at desc', limit: 14 }),
    api(documents.list, { status: [2], order: 'id desc', limit: 10 }),
    api(documents.home, { limit: 8, most: 8 }),
  ])
  const version = versions[open.display.home_version === 'v2' ? 'v2' : 'v1']
  const shelf = version.shelf[open.display.index_document_style === 'list' ? 'list' : 'card']
  const { document_count, article_count, user_count } = figures
  return {
    figures: { document_count, article_count, user_count },
    ads,
    hot: hot.word,
    banners: slides.banner.map(({ id, title, path, url }) => ({ id, title, path, url })),
    friends: friends.friendlink.map(({ id, title, link }) => ({ id, title, link })),
    recommended: recommended.document.slice(0, version.recommended).map(feature),
    newest: newest.document
      .slice(0, version.newest)
      .map(({ uuid, title, ext, created_at }) => ({ uuid, title, ext, created_at })),
    shelves: home.document
      .filter(({ document }) => document.length > 0)
      .slice(0, shelf.most)
      .map(({ category_id, category_name, category_cover, document }) => ({
        id: category_id,
        name: category_name,
        cover: category_cover,
        documents: document
          .slice(0, shelf.documents)
          .map((one, place) => (place < shelf.covers ? tile(one) : bare(one))),
      })),
    now: Date.now(),
  }
}

/** What is shown of each category, and of how many: the page shall stay light, and the others are found by their categories. */
const versions = {
  v1: {
    recommended: 12,
    newest: 10,
    shelf: { card: { documents: 5, covers: 1, most: 8 }, list: { documents: 8, covers: 8, most: 5 } },
  },
  v2: {
    recommended: 14,
    newest: 8,
    shelf: { card: { documents: 5, covers: 1, most: 6 }, list: { documents: 6, covers: 6, most: 4 } },
  },
}

/** A magazine tells a little of what it opens with. */
function feature(document: Document, place: number): Feature {
  return { ...tile(document), description: place < 2 ? listed(document).description : '' }
}

/** For a line without a picture. */
function bare({ uuid, title, ext }: Document): Tile {
  return { uuid, title, ext, pages: 0, cover: '' }
}
