import type { MetaDescriptor } from 'react-router'
import type { Site } from '#web/domain/site.ts'

const brand = '文豆'
const maxDescriptionLength = 200

type System = Site['settings']['system']
type Security = Site['settings']['security']

/** What the metadata of pages needs of the site. */
export interface SeoSite {
  settings: {
    system: Pick<System, 'title' | 'sitename' | 'description' | 'keywords' | 'domain' | 'logo'>
    security: Pick<Security, 'is_close' | 'login_required'>
  }
}

export interface PageDescription {
  title?: string
  description?: string
  keywords?: string
  /** The canonical address. */
  path?: string
  type?: 'website' | 'article' | 'profile'
  /** A path of this site or a full address. */
  image?: string
  /** Adds `noindex`. */
  isHidden?: boolean
}

export function pageTitle(title: string | undefined, system: { title: string; sitename: string }): string {
  const sitename = system.sitename || brand
  return title ? `${title} – ${sitename}` : system.title || sitename
}

/** The metadata of a page for search engines and link previews; the site's own fills the gaps. */
export function pageMeta(site: SeoSite | undefined, page: PageDescription = {}): MetaDescriptor[] {
  const { system, security } = site?.settings ?? { system: emptySystem, security: openAccess }
  const texts = {
    description: truncate(page.description || system.description),
    keywords: page.keywords || system.keywords,
    robots: page.isHidden || security.is_close || security.login_required ? 'noindex' : '',
  }
  return [
    { title: pageTitle(page.title, system) },
    ...metaTags('name', texts),
    ...(page.path === undefined
      ? []
      : sharingTags(system, { ...page, path: page.path, description: texts.description })),
  ]
}

/** Members' own pages, and pages that only lead elsewhere: not for search engines. */
export function isUnlisted(pathname: string): boolean {
  return /^\/((admin|me|order|embed)(\/|$)|(login|register|findpassword|unsubscribe|upload|post|search|user)\/?$)/.test(
    pathname,
  )
}

/** The path from the home page to a page, as structured data. */
export function breadcrumbList(
  steps: readonly { name: string; path: string }[],
  absolute: (path: string) => string,
): MetaDescriptor {
  const itemListElement = steps.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: absolute(path),
  }))
  return { 'script:ld+json': { '@context': 'https://schema.org', '@type': 'BreadcrumbList', itemListElement } }
}

/** Adds the site's domain, where it has one, to paths; full addresses stay as they are. */
export function absoluteUrls(domain: string): (path: string) => string {
  return (path) => (path.startsWith('/') ? domain.replace(/\/+$/, '') + path : path)
}

/** A tag for each value that is not empty. */
export function metaTags(key: 'name' | 'property', values: Record<string, string>): MetaDescriptor[] {
  return Object.entries(values).flatMap(([name, content]) => (content ? [{ [key]: name, content }] : []))
}

const openAccess = { is_close: false, login_required: false }
const emptySystem = { title: '', sitename: '', description: '', keywords: '', domain: '', logo: '' }

function sharingTags(
  system: SeoSite['settings']['system'],
  page: PageDescription & { path: string },
): MetaDescriptor[] {
  const absolute = absoluteUrls(system.domain)
  const image = page.image || system.logo
  const graph = {
    'og:type': page.type ?? 'website',
    'og:title': page.title || pageTitle(undefined, system),
    'og:description': page.description ?? '',
    'og:site_name': system.sitename || brand,
    'og:locale': 'zh_CN',
    'og:url': absolute(page.path),
    'og:image': image && absolute(image),
  }
  return [
    { tagName: 'link', rel: 'canonical', href: absolute(page.path) },
    ...metaTags('property', graph),
    { name: 'twitter:card', content: page.image ? 'summary_large_image' : 'summary' },
  ]
}

function truncate(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxDescriptionLength ? `${line.slice(0, maxDescriptionLength - 1).toWellFormed()}…` : line
}
