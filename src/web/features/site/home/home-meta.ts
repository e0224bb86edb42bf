import type { MetaDescriptor } from 'react-router'
import { absoluteOn, pageMeta, type Known } from '#web/lib/seo.ts'

/** What the site says of itself, and how it is searched. */
export function homeMeta(site: Known | undefined, { image = '' }: { image?: string } = {}): MetaDescriptor[] {
  const { domain, sitename, title, description } = site?.settings.system ?? nothing
  const absolute = absoluteOn(domain)
  const website = {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: sitename || title || '文豆',
    url: absolute('/'),
    inLanguage: 'zh-CN',
    ...(description && { description }),
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: absolute('/search?wd={wd}&type=0') },
      'query-input': 'required name=wd',
    },
  }
  return [...pageMeta(site, { path: '/', image }), { 'script:ld+json': website }]
}

const nothing = { domain: '', sitename: '', title: '', description: '' }
