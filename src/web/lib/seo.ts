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
