import type { MetaDescriptor } from 'react-router'
import type { Document } from '#shared/contract/documents.ts'
import { categoryPath, documentPath } from '#web/domain/paths.ts'
import { absoluteUrls, breadcrumbList, pageMeta, type SeoSite } from '#web/domain/seo.ts'

type DocumentFields = Pick<
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

/** The metadata of a document for search engines and link previews. */
export function documentMeta(document: DocumentFields, site: SeoSite | undefined): MetaDescriptor[] {
  const absolute = absoluteUrls(site?.settings.system.domain ?? '')
  const path = documentPath(document)
  const { title, description, keywords, cover } = document
  return [
    ...pageMeta(site, { title, description, keywords, path, type: 'article', image: cover }),
    { 'script:ld+json': structuredData(document, absolute(path), cover && absolute(cover)) },
    breadcrumbs(document, absolute),
  ]
}

function structuredData(document: DocumentFields, url: string, image: string) {
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

function breadcrumbs({ title, category, uuid }: DocumentFields, absolute: (path: string) => string): MetaDescriptor {
  const above = category.map(({ id, title: name }) => ({ name, path: categoryPath({ id }) }))
  return breadcrumbList(
    [{ name: '首页', path: '/' }, ...above, { name: title, path: documentPath({ uuid }) }],
    absolute,
  )
}
