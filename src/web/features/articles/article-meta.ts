import type { MetaDescriptor } from 'react-router'
import type { Article } from '#shared/contract/articles.ts'
import { feedLink } from '#web/features/articles/feed-link.ts'
import { articlePath, categoryPath } from '#web/lib/paths.ts'
import { absoluteOn, breadcrumbList, named, pageMeta, type Known } from '#web/lib/seo.ts'

type Described = Pick<
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

/** What an article says of itself to search engines and to those who share it. */
export function articleMeta(article: Described, site: Known | undefined): MetaDescriptor[] {
  const { domain, sitename } = site?.settings.system ?? { domain: '', sitename: '' }
  const absolute = absoluteOn(domain)
  const path = articlePath(article)
  const { title, description, keywords, cover, author } = article
  // What waits for review or was rejected is for few.
  const isHidden = article.status !== 1
  return [
    ...pageMeta(site, { title, description, keywords, path, type: 'article', image: cover, isHidden }),
    ...(article.user_id > 0 ? [feedLink({ user: article.user_id }, author)] : []),
    ...named('property', {
      'article:published_time': moment(article.created_at),
      'article:modified_time': moment(article.updated_at),
      'article:author': author,
    }),
    { 'script:ld+json': work(article, { url: absolute(path), image: cover && absolute(cover), sitename }) },
    crumbs(article, absolute),
  ]
}

function work(article: Described, { url, image, sitename }: { url: string; image: string; sitename: string }) {
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
    ...(created_at !== null && { datePublished: moment(created_at) }),
    ...(updated_at !== null && { dateModified: moment(updated_at) }),
  }
}

function crumbs(article: Described, absolute: (path: string) => string): MetaDescriptor {
  const above = article.category.map(({ id, title }) => ({ name: title, path: categoryPath({ id, type: 1 }) }))
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

function moment(at: number | null): string {
  return at === null ? '' : new Date(at).toISOString()
}
