import { ReviewStatus } from '#shared/enums.ts'
import { expect, test } from 'vitest'
import { articleMeta } from '#web/features/articles/article-meta.ts'

const article = {
  identifier: 'how-to-read',
  user_id: 9,
  title: '怎样读书 </script>',
  description: '读书的几种办法',
  keywords: '读书',
  cover: '/uploads/a.webp',
  author: '小文',
  status: ReviewStatus.Approved,
  created_at: 0,
  updated_at: null,
  category: [{ id: 4, title: '随笔' }],
}
const site = {
  settings: {
    system: {
      title: '',
      sitename: '某文库',
      description: '',
      keywords: '',
      domain: 'https://wenku.example.com/',
      logo: '',
    },
    security: { is_close: false, login_required: false },
  },
}

test('an article has a canonical address and structured data', () => {
  const meta = articleMeta(article, site)
  expect(meta).toContainEqual({
    tagName: 'link',
    rel: 'canonical',
    href: 'https://wenku.example.com/article/how-to-read',
  })
  expect(meta).toContainEqual({ property: 'og:image', content: 'https://wenku.example.com/uploads/a.webp' })
  expect(meta).toContainEqual(expect.objectContaining({ rel: 'alternate', href: '/feed/article?user_id=9' }))
  const [work, crumbs] = meta.flatMap((tag) => ('script:ld+json' in tag ? [tag['script:ld+json']] : []))
  expect(work).toMatchObject({
    '@type': 'Article',
    headline: article.title,
    author: { name: '小文' },
    datePublished: '1970-01-01T00:00:00.000Z',
  })
  expect(work).not.toHaveProperty('dateModified')
  expect(crumbs).toMatchObject({
    itemListElement: [{ name: '首页' }, { name: '文章' }, { name: '随笔' }, { name: article.title }],
  })
})

test('a page of the site itself has no author', () => {
  const meta = articleMeta({ ...article, identifier: 'about' }, site)
  expect(meta).not.toContainEqual(expect.objectContaining({ property: 'article:author' }))
  expect(meta).not.toContainEqual(expect.objectContaining({ rel: 'alternate' }))
  const [work] = meta.flatMap((tag) => ('script:ld+json' in tag ? [tag['script:ld+json']] : []))
  expect(work).toMatchObject({ '@type': 'Article', headline: article.title })
  expect(work).not.toHaveProperty('author')
})

test('a picture on another site keeps its address', () => {
  const meta = articleMeta({ ...article, cover: 'https://pictures.example.com/a.png' }, site)
  expect(meta).toContainEqual({ property: 'og:image', content: 'https://pictures.example.com/a.png' })
})

test('search engines do not index an article that is not public', () => {
  expect(articleMeta(article, site)).not.toContainEqual({ name: 'robots', content: 'noindex' })
  expect(articleMeta({ ...article, status: ReviewStatus.Pending }, site)).toContainEqual({
    name: 'robots',
    content: 'noindex',
  })
})
