import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { ArticleItem } from '#web/features/articles/browse/article-item.tsx'

const article = {
  identifier: 'how-to-read',
  title: '怎样读书',
  description: '读书的几种办法',
  cover: '',
  author: { id: 9, username: '小文', avatar: '', isVip: false },
  created_at: 0,
  view_count: 4711,
  favorite_count: 0,
  comment_count: 0,
  isRecommended: false,
}
const root = { settings: { vip: { enable: false } }, categories: '' }

function render(identifier: string): string {
  const element = <ArticleItem article={{ ...article, identifier }} now={0} />
  const router = createMemoryRouter([{ id: 'root', path: '/', loader: () => root, element }], {
    hydrationData: { loaderData: { root } },
  })
  return renderToStaticMarkup(<RouterProvider router={router} />)
}

test('an article in a list has its author and counts, a page of the site itself has neither', () => {
  expect(render('how-to-read')).toMatch(/小文.*4711/)
  expect(render('about')).toContain('怎样读书')
  expect(render('about')).not.toMatch(/小文|4711/)
})
