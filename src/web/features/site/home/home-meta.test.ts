import { expect, test } from 'vitest'
import { homeMeta } from '#web/features/site/home/home-meta.ts'

test('the home page has structured data with the site’s name and search action', () => {
  const system = {
    title: '',
    sitename: '某文库',
    description: '',
    keywords: '',
    domain: 'https://wenku.example.com',
    logo: '',
  }
  const meta = homeMeta(
    { settings: { system, security: { is_close: false, login_required: false } } },
    { image: '/uploads/banner/a.webp' },
  )
  expect(meta).toContainEqual({ property: 'og:image', content: 'https://wenku.example.com/uploads/banner/a.webp' })
  expect(meta.at(-1)).toMatchObject({
    'script:ld+json': {
      '@type': 'WebSite',
      name: '某文库',
      url: 'https://wenku.example.com/',
      potentialAction: {
        '@type': 'SearchAction',
        target: { urlTemplate: 'https://wenku.example.com/search?wd={wd}&type=0' },
        'query-input': 'required name=wd',
      },
    },
  })
})
