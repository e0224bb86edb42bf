import type { MetaDescriptor } from 'react-router'
import type { User } from '#shared/contract/users.ts'
import { absoluteOn } from '#web/lib/seo.ts'

interface Described {
  person: Pick<User, 'id' | 'username' | 'avatar' | 'signature'>
  /** Below the person's own address: nothing, `/document` or `/article`. */
  part: '' | '/document' | '/article'
  page?: number
}

/** What a person's pages say to search engines and feed readers. However a list is narrowed, it is the same page. */
export function personMeta({ person, part, page = 1 }: Described, domain: string): MetaDescriptor[] {
  const { id, username, avatar, signature } = person
  const absolute = absoluteOn(domain)
  const url = absolute(`/user/${id}${part}${page > 1 ? `?page=${page}` : ''}`)
  const graph = {
    'og:type': 'profile',
    'og:title': username,
    'og:description': signature,
    'og:url': url,
    'og:image': avatar && absolute(avatar),
  }
  return [
    { tagName: 'link', rel: 'canonical', href: url },
    feed(`${username} 的文档`, absolute(`/feed/document?user_id=${id}`)),
    feed(`${username} 的文章`, absolute(`/feed/article?user_id=${id}`)),
    ...Object.entries(graph).flatMap(([property, content]) => (content ? [{ property, content }] : [])),
  ]
}

function feed(title: string, href: string): MetaDescriptor {
  return { tagName: 'link', rel: 'alternate', type: 'application/atom+xml', title, href }
}
