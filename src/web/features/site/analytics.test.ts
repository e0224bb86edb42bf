import { expect, test } from 'vitest'
import { type AnalyticsGlobals, reportPageView } from '#web/features/site/analytics.ts'

const view = { path: '/search?wd=数学', title: '数学 – 文豆', previous: '/' }

function page(): Required<Pick<AnalyticsGlobals, '_hmt' | '_czc' | '_paq' | 'dataLayer'>> {
  return { _hmt: [], _czc: [], _paq: [], dataLayer: [] }
}

test('every provider on the page is told of the page view, in its own words', () => {
  const analytics = page()
  const tracked: unknown[] = []
  reportPageView({ ...analytics, LA: { track: (...event) => tracked.push(event) } }, view)
  expect(analytics._hmt).toEqual([['_trackPageview', '/search?wd=数学']])
  expect(analytics._czc).toEqual([['_trackPageview', '/search?wd=数学', '/']])
  expect(analytics._paq.at(-1)).toEqual(['trackPageView'])
  expect(analytics.dataLayer).toEqual([
    expect.objectContaining({ page_path: '/search?wd=数学', page_title: view.title }),
  ])
  expect(tracked).toEqual([['pageview', { path: view.path, title: view.title }]])
})

test('a page without analytics is left alone', () => {
  const analytics: AnalyticsGlobals = {}
  reportPageView(analytics, view)
  expect(analytics).toEqual({})
})

test.each(['/me', '/me/profile', '/me?tab=1', '/admin/user/list'])('%s is not told', (path) => {
  const analytics = page()
  reportPageView(analytics, { ...view, path })
  expect(analytics._hmt).toEqual([])
})
