import type { MetaDescriptor } from 'react-router'
import { CollectionVisibility } from '#shared/collections.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { collectionPath } from '#web/domain/paths.ts'
import { absoluteUrls, breadcrumbList, pageMeta, type SeoSite } from '#web/domain/seo.ts'
import type { ShownCollection, ShownItem } from '#web/features/collections/collection-summary.ts'
import { itemPath } from '#web/features/collections/item-row.tsx'

interface CollectionPage {
  collection: Pick<
    ShownCollection,
    'uuid' | 'title' | 'description' | 'visibility' | 'status' | 'cover' | 'item_count' | 'user'
  >
  items: readonly Pick<ShownItem, 'title' | 'type' | 'uuid'>[]
  page: number
}

/** The metadata of a collection for search engines and link previews. One that is not listed is not indexed either. */
export function collectionMeta(
  { collection, items, page }: CollectionPage,
  site: SeoSite | undefined,
): MetaDescriptor[] {
  const { title, visibility, status, cover, item_count, user } = collection
  const absolute = absoluteUrls(site?.settings.system.domain ?? '')
  const path = `${collectionPath(collection)}${page > 1 ? `?page=${page}` : ''}`
  const description = collection.description || `${user.username} 整理的文集，共 ${item_count} 项。`
  const isHidden = visibility !== CollectionVisibility.Public || status !== ReviewStatus.Approved || items.length === 0
  const image = cover[0] ?? ''
  return [
    ...pageMeta(site, { title: `${title}（文集）`, description, path, image, isHidden }),
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        '@type': 'CollectionPage',
        name: title,
        description,
        url: absolute(path),
        ...(image && { image: absolute(image) }),
        author: { '@type': 'Person', name: user.username, url: absolute(`/user/${user.id}`) },
        mainEntity: {
          '@type': 'ItemList',
          numberOfItems: item_count,
          itemListElement: items.map((item, index) => ({
            '@type': 'ListItem',
            position: index + 1,
            name: item.title,
            url: absolute(itemPath(item)),
          })),
        },
      },
    },
    breadcrumbList(
      [
        { name: '首页', path: '/' },
        { name: '文集', path: '/collections' },
        { name: title, path: collectionPath(collection) },
      ],
      absolute,
    ),
  ]
}
