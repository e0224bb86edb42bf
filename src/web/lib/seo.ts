import type { MetaDescriptor } from 'react-router'
import type { Site } from '#web/lib/site.ts'

const brand = '文豆'

export function pageTitle(title: string | undefined, system: { title: string; sitename: string }): string {
  const sitename = system.sitename || brand
  return title ? `${title} – ${sitename}` : system.title || sitename
}

/** Title and description of a page; what it does not say itself is the site's. */
export function pageMeta(
  site: Pick<Site, 'settings'> | undefined,
  page: { title?: string; description?: string; keywords?: string } = {},
): MetaDescriptor[] {
  const system = site?.settings.system ?? { title: '', sitename: '', description: '', keywords: '' }
  const texts = { description: page.description || system.description, keywords: page.keywords || system.keywords }
  return [
    { title: pageTitle(page.title, system) },
    ...Object.entries(texts).flatMap(([name, content]) => (content ? [{ name, content }] : [])),
  ]
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

/** Addresses with the site's domain, where it has one. */
export function absoluteOn(domain: string): (path: string) => string {
  return (path) => domain.replace(/\/+$/, '') + path
}
