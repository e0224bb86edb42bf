import type { MetaDescriptor } from 'react-router'
import type { EntryItem } from '#web/features/topics/topic-entries.tsx'
import { articlePath, documentPath, topicPath } from '#web/domain/paths.ts'
import { absoluteUrls, breadcrumbList, pageMeta, type SeoSite } from '#web/domain/seo.ts'

interface TopicPage {
  id: number
  title: string
  summary: string
  cover: string
  entries: readonly EntryItem[]
}

/** A topic as a list of works, for search engines. */
export function topicMeta(topic: TopicPage, site: SeoSite | undefined): MetaDescriptor[] {
  const { title, summary, cover, entries } = topic
  const absolute = absoluteUrls(site?.settings.system.domain ?? '')
  const path = topicPath(topic)
  const itemListElement = entries.map(({ document, article }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: document?.title ?? article?.title ?? '',
    url: absolute(document ? documentPath(document) : articlePath({ identifier: article?.identifier ?? '' })),
  }))
  return [
    ...pageMeta(site, { title, description: summary, path, image: cover, type: 'article' }),
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        '@type': 'CollectionPage',
        name: title,
        ...(summary && { description: summary }),
        url: absolute(path),
        ...(cover && { image: absolute(cover) }),
        mainEntity: { '@type': 'ItemList', numberOfItems: entries.length, itemListElement },
      },
    },
    breadcrumbList(
      [
        { name: '首页', path: '/' },
        { name: '专题', path: '/topic' },
        { name: title, path },
      ],
      absolute,
    ),
  ]
}
