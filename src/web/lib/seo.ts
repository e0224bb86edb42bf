import type { MetaDescriptor } from 'react-router'
import type { Site } from '#web/lib/site.ts'

const brand = '文豆'
const longestDescription = 200

type System = Site['settings']['system']
type Security = Site['settings']['security']

/** Of the site, what its pages say about themselves with. */
export interface Known {
  settings: {
    system: Pick<System, 'title' | 'sitename' | 'description' | 'keywords' | 'domain' | 'logo'>
    security: Pick<Security, 'is_close' | 'login_required'>
  }
}

export interface Said {
  title?: string
  description?: string
  keywords?: string
  /** The one address of the page, for those who list it or share it. */
  path?: string
  type?: 'website' | 'article' | 'profile'
  /** On this site or elsewhere. */
  image?: string
  /** Not to be listed by search engines. */
  isHidden?: boolean
}

export function pageTitle(title: string | undefined, system: { title: string; sitename: string }): string {
  const sitename = system.sitename || brand
  return title ? `${title} – ${sitename}` : system.title || sitename
}

/** What a page says to search engines and to those who share it; what it does not say itself is the site's. */
export function pageMeta(site: Known | undefined, page: Said = {}): MetaDescriptor[] {
  const { system, security } = site?.settings ?? { system: unknown, security: open }
  const texts = {
    description: clipped(page.description || system.description),
    keywords: page.keywords || system.keywords,
    robots: page.isHidden || security.is_close || security.login_required ? 'noindex' : '',
  }
  return [
    { title: pageTitle(page.title, system) },
    ...named('name', texts),
    ...(page.path === undefined ? [] : shared(system, { ...page, path: page.path, description: texts.description })),
  ]
}

/** What only their owners see, and what only leads somewhere: nothing for search engines. */
export function isUnlisted(pathname: string): boolean {
  return /^\/((admin|me)(\/|$)|(login|register|findpassword|upload|post|search|user)\/?$)/.test(pathname)
}

/** The way to a page from the home page, for search engines. */
export function breadcrumbList(
  steps: readonly { name: string; path: string }[],
  absolute: (path: string) => string,
): MetaDescriptor {
  const itemListElement = steps.map(({ name, path }, place) => ({
    '@type': 'ListItem',
    position: place + 1,
    name,
    item: absolute(path),
  }))
  return { 'script:ld+json': { '@context': 'https://schema.org', '@type': 'BreadcrumbList', itemListElement } }
}

/** Addresses with the site's domain, where it has one. What stands elsewhere keeps its own. */
export function absoluteOn(domain: string): (path: string) => string {
  return (path) => (path.startsWith('/') ? domain.replace(/\/+$/, '') + path : path)
}

/** Tags with something in them. */
export function named(key: 'name' | 'property', values: Record<string, string>): MetaDescriptor[] {
  return Object.entries(values).flatMap(([name, content]) => (content ? [{ [key]: name, content }] : []))
}

const open = { is_close: false, login_required: false }
const unknown = { title: '', sitename: '', description: '', keywords: '', domain: '', logo: '' }

function shared(system: Known['settings']['system'], page: Said & { path: string }): MetaDescriptor[] {
  const absolute = absoluteOn(system.domain)
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
    ...named('property', graph),
    { name: 'twitter:card', content: page.image ? 'summary_large_image' : 'summary' },
  ]
}

function clipped(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longestDescription ? `${line.slice(0, longestDescription - 1).toWellFormed()}…` : line
}
