import type { MetaDescriptor } from 'react-router'
import type { User } from '#shared/contract/user.ts'
import { absoluteUrls, pageMeta, type SeoSite } from '#web/domain/seo.ts'

/** The pages of a user, by the end of their path. */
export type UserPart = '' | '/document' | '/article' | '/collection'

interface UserPage {
  user: Pick<User, 'id' | 'username' | 'avatar' | 'signature'> | undefined
  part: UserPart
  page?: number | undefined
  /** Whether this page of the list has no rows. */
  isEmpty?: boolean
}

const titles: Record<UserPart, string> = { '': '主页', '/document': '文档', '/article': '文章', '/collection': '文集' }

/** The canonical address leaves out the filters. */
export function userMeta({ user, part, page = 1, isEmpty = false }: UserPage, site: SeoSite | undefined) {
  if (!user) return pageMeta(site)
  const { id, username, avatar, signature } = user
  const absolute = absoluteUrls(site?.settings.system.domain ?? '')
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
