import { expect, test } from 'vitest'
import { documentMeta } from '#web/features/documents/page/document-meta.ts'

const document = {
  id: 3,
  uuid: '0123456789abcdef',
  title: '年度报告 </script>',
  description: '一年的工作',
  keywords: '',
  language: 'zh-CN',
  cover: '/view/cover/k',
  ext: '.docx',
  pages: 12,
  price: 5,
  score: 450,
  score_count: 2,
  created_at: 0,
  updated_at: null,
  user: { username: '小文' },
  category: [{ id: 1, title: '办公' }],
}

const siteOn = (domain: string) => ({
  settings: {
    system: { title: '', sitename: '某文库', description: '', keywords: '', domain, logo: '' },
    security: { is_close: false, login_required: false },
  },
})

test('a document has a canonical address and structured data', () => {
  const meta = documentMeta(document, siteOn('https://wenku.example.com/'))
  expect(meta).toContainEqual({
    tagName: 'link',
    rel: 'canonical',
    href: 'https://wenku.example.com/document/0123456789abcdef',
  })
  expect(meta).toContainEqual({ property: 'og:image', content: 'https://wenku.example.com/view/cover/k' })
  const [work, crumbs] = meta.flatMap((tag) => ('script:ld+json' in tag ? [tag['script:ld+json']] : []))
  expect(work).toMatchObject({
    '@type': 'DigitalDocument',
    name: document.title,
    encodingFormat: 'docx',
    numberOfPages: 12,
    isAccessibleForFree: false,
    aggregateRating: { ratingValue: 4.5, ratingCount: 2 },
  })
  expect(crumbs).toMatchObject({ itemListElement: [{ name: '首页' }, { name: '办公' }, { name: document.title }] })
})

test('without a domain, a cover or a score the tags are left out', () => {
  const meta = documentMeta({ ...document, cover: '', score_count: 0 }, siteOn(''))
  expect(meta).toContainEqual({ tagName: 'link', rel: 'canonical', href: '/document/0123456789abcdef' })
  expect(JSON.stringify(meta)).not.toMatch(/og:image|aggregateRating/)
})
