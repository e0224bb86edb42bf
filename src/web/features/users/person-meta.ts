import type { MetaDescriptor } from 'react-router'
import type { User } from '#shared/contract/users.ts'
import { absoluteOn, pageMeta, type Known } from '#web/lib/seo.ts'

interface Described {
  person: Pick<User, 'id' | 'username' | 'avatar' | 'signature'>
  /** Below the person's own address: nothing, `/document` or `/article`. */
  part: '' | '/document' | '/article'
  page?: number
  /** Whether the page lists nothing. */
  isEmpty?: boolean
}

const titles = { '': '主页', '/document': '文档', '/article': '文章' }

/** What a person's pages say to search engines and feed readers. However a list is narrowed, it is the same page. */
export function personMeta({ person, part, page = 1, isEmpty = false }: Described, site: Known | undefined) {
  const { id, username, avatar, signature } = person
  const absolute = absoluteOn(site?.settings.system.domain ?? '')
  return [
    ...pageMeta(site, {
      title: `${username} 的${titles[part]}`,
      description: signature,
      path: `/user/${id}${part}${page > 1 ? `?page=${page}` : ''}`,
      type: 'profile',
      image: avatar,
      isHidden: page > 1 && isEmpty,
    }),
    feed(`${username} 的文档`, absolute(`/feed/document?user_id=${id}`)),
    feed(`${username} 的文章`, absolute(`/feed/article?user_id=${id}`)),
  ]
}

function feed(title: string, href: string): MetaDescriptor {
  return { tagName: 'link', rel: 'alternate', type: 'application/atom+xml', title, href }
}
