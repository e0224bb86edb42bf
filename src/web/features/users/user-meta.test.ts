import { expect, test } from 'vitest'
import { userMeta } from '#web/features/users/user-meta.ts'

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
const user = { id: 7, username: '小明', avatar: '', signature: '' }

test('a page of a list has its own address, and offers both feeds of the user', () => {
  const meta = userMeta({ user, part: '/article', page: 3 }, site)
  const links = meta.flatMap((one) => ('href' in one ? [one.href] : []))
  expect(links).toEqual([
    'https://wenku.example.com/user/7/article?page=3',
    'https://wenku.example.com/feed/document?user_id=7',
    'https://wenku.example.com/feed/article?user_id=7',
  ])
})

test('an empty signature is left out', () => {
  const descriptions = (signature: string) =>
    userMeta({ user: { ...user, signature }, part: '' }, site).filter(
      (one) => 'property' in one && one.property === 'og:description',
    )
  expect(descriptions('')).toEqual([])
  expect(descriptions('好学')).toEqual([{ property: 'og:description', content: '好学' }])
})
