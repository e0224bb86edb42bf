import type { MetaDescriptor } from 'react-router'
import type { Document } from '#shared/contract/documents.ts'
import { categoryPath, documentPath } from '#web/lib/paths.ts'
import { absoluteOn, breadcrumbList, pageMeta, type Known } from '#web/lib/seo.ts'

type Described = Pick<
  Document,
  | 'id'
  | 'uuid'
  | 'title'
  | 'description'
  | 'keywords'
  | 'language'
  | 'cover'
  | 'ext'
  | 'pages'
  | 'price'
  | 'score'
  | 'score_count'
  | 'created_at'
  | 'updated_at'
> & { user: { username: string } | null; category: readonly { id: number; title: string }[] }

/** What a document says of itself to search engines and to those who share it. */
export function documentMeta(document: Described, site: Known | undefined): MetaDescriptor[] {
  const absolute = absoluteOn(site?.settings.system.domain ?? '')
  const path = documentPath(document)
  const { title, description, keywords, cover } = document
  return [
    ...pageMeta(site, { title, description, keywords, path, type: 'article', image: cover }),
    { 'script:ld+json': work(document, absolute(path), cover && absolute(cover)) },
    crumbs(document, absolute),
  ]
}

function work(document: Described, url: string, image: string) {
  const { title, description, keywords, language, ext, pages, price, score, score_count, created_at, updated_at } =
    document
  return {
    '@context': 'https://schema.org',
    '@type': 'DigitalDocument',
    name: title,
    description,
    url,
    ...(image && { image }),
    ...(keywords && { keywords }),
    ...(language && { inLanguage: language }),
    ...(pages > 0 && { numberOfPages: pages }),
    encodingFormat: ext.slice(1),
    isAccessibleForFree: price === 0,
    ...(document.user && { author: { '@type': 'Person', name: document.user.username } }),
    ...(created_at !== null && { datePublished: new Date(created_at).toISOString() }),
    ...(updated_at !== null && { dateModified: new Date(updated_at).toISOString() }),
    ...(score_count > 0 && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: score / 100,
        ratingCount: score_count,
        bestRating: 5,
        worstRating: 1,
      },
    }),
  }
}

function crumbs({ title, category, uuid }: Described, absolute: (path: string) => string): MetaDescriptor {
  const above = category.map(({ id, title: name }) => ({ name, path: categoryPath({ id }) }))
  return breadcrumbList(
    [{ name: '首页', path: '/' }, ...above, { name: title, path: documentPath({ uuid }) }],
    absolute,
  )
}
