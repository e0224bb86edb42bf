import { ReviewStatus, ContentType } from '#shared/enums.ts'
import type { MetaDescriptor } from 'react-router'
import { type Article, isBuiltInPage } from '#shared/contract/articles.ts'
import { feedLink } from '#web/features/articles/feed-link.ts'
import { articlePath, categoryPath } from '#web/domain/paths.ts'
import { absoluteUrls, breadcrumbList, metaTags, pageMeta, type SeoSite } from '#web/domain/seo.ts'

type ArticleFields = Pick<
  Article,
  | 'identifier'
  | 'user_id'
  | 'title'
  | 'description'
  | 'keywords'
  | 'cover'
  | 'author'
  | 'status'
  | 'created_at'
  | 'updated_at'
> & { category: readonly { id: number; title: string }[] }

/** The metadata of an article for search engines and link previews: pages of the site itself have no author. */
export function articleMeta(article: ArticleFields, site: SeoSite | undefined): MetaDescriptor[] {
  const { domain, sitename } = site?.settings.system ?? { domain: '', sitename: '' }
  const absolute = absoluteUrls(domain)
  const path = articlePath(article)
  const { title, description, keywords, cover } = article
  const author = isBuiltInPage(article.identifier) ? '' : article.author
  // Only the author and staff see an article before it is approved.
  const isHidden = article.status !== ReviewStatus.Approved
  return [
    ...pageMeta(site, { title, description, keywords, path, type: 'article', image: cover, isHidden }),
    ...(author && article.user_id > 0 ? [feedLink({ user: article.user_id }, author)] : []),
    ...metaTags('property', {
      'article:published_time': isoTime(article.created_at),
      'article:modified_time': isoTime(article.updated_at),
      'article:author': author,
    }),
    {
      'script:ld+json': structuredData(
        { ...article, author },
        { url: absolute(path), image: cover && absolute(cover), sitename },
      ),
    },
    breadcrumbs(article, absolute),
  ]
}

function structuredData(
  article: ArticleFields,
  { url, image, sitename }: { url: string; image: string; sitename: string },
) {
  const { title, description, keywords, author, created_at, updated_at } = article
  return {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: title,
    description,
    url,
    mainEntityOfPage: url,
    ...(image && { image }),
    ...(keywords && { keywords }),
    ...(author && { author: { '@type': 'Person', name: author } }),
    ...(sitename && { publisher: { '@type': 'Organization', name: sitename } }),
    ...(created_at !== null && { datePublished: isoTime(created_at) }),
    ...(updated_at !== null && { dateModified: isoTime(updated_at) }),
  }
}

function breadcrumbs(article: ArticleFields, absolute: (path: string) => string): MetaDescriptor {
  const above = article.category.map(({ id, title }) => ({
    name: title,
    path: categoryPath({ id, type: ContentType.Article }),
  }))
  return breadcrumbList(
    [
      { name: '首页', path: '/' },
      { name: '文章', path: '/article' },
      ...above,
      { name: article.title, path: articlePath(article) },
    ],
    absolute,
  )
}

function isoTime(at: number | null): string {
  return at === null ? '' : new Date(at).toISOString()
}
