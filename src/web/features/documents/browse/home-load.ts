import { documents, type Document } from '#shared/contract/documents.ts'
import { searches } from '#shared/contract/search.ts'
import { friendlinks } from '#shared/contract/site.ts'
import { settings, stats } from '#shared/contract/system.ts'
import { tile, type Tile } from '#web/features/documents/browse/listed.ts'
import { loadAds } from '#web/lib/load-site.ts'
import type { Given } from '#web/lib/load.ts'

export async function loadHome({ api }: Given) {
  const [figures, friends, ads, open, hot, recommended, newest, home] = await Promise.all([
    api(stats.get),
    api(friendlinks.list, { enable: [true], field: ['id', 'title', 'link'] }),
    loadAds(api, ['index_banner_bottom', 'index_category_top', 'index_category_bottom', 'index_link_top']),
    api(settings.get),
    api(searches.hot).catch(() => ({ word: [] })),
    api(documents.list, { is_recommend: [true], status: [2], order: 'recommend_at desc', limit: 12 }),
    api(documents.list, { status: [2], order: 'id desc', limit: 10 }),
    api(documents.home, { limit: coversInRow }),
  ])
  const most = shelfStyles[open.display.index_document_style === 'list' ? 'list' : 'card']
  return {
    figures,
    ads,
    hot: hot.word,
    friends: friends.friendlink.map(({ id, title, link }) => ({ id, title, link })),
    recommended: recommended.document.map(tile),
    newest: newest.document.map(({ uuid, title, ext, created_at }) => ({ uuid, title, ext, created_at })),
    shelves: home.document
      .filter(({ document }) => document.length > 0)
      .slice(0, most.shelves)
      .map(({ category_id, category_name, category_cover, document }) => ({
        id: category_id,
        name: category_name,
        cover: category_cover,
        documents: document.slice(0, most.documents).map((one, place) => (place < most.covers ? tile(one) : bare(one))),
      })),
    now: Date.now(),
  }
}

const coversInRow = 8

/** What is shown of each category, and of how many: the page shall stay light, and the others are found by their categories. */
const shelfStyles = {
  card: { documents: 5, covers: 1, shelves: 12 },
  list: { documents: coversInRow, covers: coversInRow, shelves: 8 },
}

/** For a line without a picture. */
function bare({ uuid, title, ext }: Document): Tile {
  return { uuid, title, ext, pages: 0, cover: '' }
}
