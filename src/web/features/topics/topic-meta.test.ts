import { expect, test } from 'vitest'
import { topicMeta } from '#web/features/topics/topic-meta.ts'

test('a topic is a collection with its works in order', () => {
  const system = { title: '', sitename: '文库', description: '', keywords: '', domain: 'https://a.example', logo: '' }
  const site = { settings: { system, security: { is_close: false, login_required: false } } }
  const document = { uuid: 'u1', title: '三体', ext: '.pdf', pages: 3, cover: '' }
  const article = { identifier: '小史', title: '科幻小史', cover: '', description: '' }
  const entries = [
    { note: '', by: '', article },
    { note: '', by: '', document },
  ]
  const meta = topicMeta({ id: 7, title: '科幻入门', summary: '从这里读起', cover: '', entries }, site)
  expect(meta).toContainEqual({ title: '科幻入门 – 文库' })
  expect(meta).toContainEqual({ tagName: 'link', rel: 'canonical', href: 'https://a.example/topic/7' })
  const [collection] = meta.flatMap((tag) => ('script:ld+json' in tag ? [tag['script:ld+json']] : []))
  expect(collection).toMatchObject({
    '@type': 'CollectionPage',
    description: '从这里读起',
    mainEntity: {
      numberOfItems: 2,
      itemListElement: [
        { position: 1, name: '科幻小史', url: 'https://a.example/article/%E5%B0%8F%E5%8F%B2' },
        { position: 2, name: '三体', url: 'https://a.example/document/u1' },
      ],
    },
  })
})
