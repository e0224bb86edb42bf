import { expect, test } from 'vitest'
import { personMeta } from '#web/features/users/person-meta.ts'

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
const person = { id: 7, username: '小明', avatar: '', signature: '' }

test('a page of a list is its own page, and offers both feeds of the person', () => {
  const meta = personMeta({ person, part: '/article', page: 3 }, site)
  const links = meta.flatMap((one) => ('href' in one ? [one.href] : []))
  expect(links).toEqual([
    'https://wenku.example.com/user/7/article?page=3',
    'https://wenku.example.com/feed/document?user_id=7',
    'https://wenku.example.com/feed/article?user_id=7',
  ])
})

test('what a person has not said is left out', () => {
  const said = (signature: string) =>
    personMeta({ person: { ...person, signature }, part: '' }, site).filter(
      (one) => 'property' in one && one.property === 'og:description',
    )
  expect(said('')).toEqual([])
  expect(said('好学')).toEqual([{ property: 'og:description', content: '好学' }])
})
