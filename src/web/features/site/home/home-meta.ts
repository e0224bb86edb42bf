import type { MetaDescriptor } from 'react-router'
import { ContentType } from '#shared/enums.ts'
import { absoluteUrls, pageMeta, type SeoSite } from '#web/domain/seo.ts'

/** The metadata of the home page, with the site's search action. */
export function homeMeta(site: SeoSite | undefined, { image = '' }: { image?: string } = {}): MetaDescriptor[] {
  const { domain, sitename, title, description } = site?.settings.system ?? emptySystem
  const absolute = absoluteUrls(domain)
  const website = {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: sitename || title || '文豆',
    url: absolute('/'),
    inLanguage: 'zh-CN',
    ...(description && { description }),
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: absolute(`/search?wd={wd}&type=${ContentType.Document}`) },
      'query-input': 'required name=wd',
    },
  }
  return [...pageMeta(site, { path: '/', image }), { 'script:ld+json': website }]
}

const emptySystem = { domain: '', sitename: '', title: '', description: '' }
