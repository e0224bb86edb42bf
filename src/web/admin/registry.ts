import { catalogue } from '#shared/settings.ts'
import type { Resource } from '#web/admin/resource.ts'
import { advertisements } from '#web/admin/resources/advertisements.tsx'
import { articleRecycle } from '#web/admin/resources/article-recycle.tsx'
import { articles } from '#web/admin/resources/articles.tsx'
import { attachments } from '#web/admin/resources/attachments.tsx'
import { banners } from '#web/admin/resources/banners.tsx'
import { articleCategories, documentCategories } from '#web/admin/resources/categories.tsx'
import { comments } from '#web/admin/resources/comments.tsx'
import { documentRecycle } from '#web/admin/resources/document-recycle.tsx'
import { documents } from '#web/admin/resources/documents.tsx'
import { friendlinks } from '#web/admin/resources/friendlinks.tsx'
import { groups } from '#web/admin/resources/groups.tsx'
import { languages } from '#web/admin/resources/languages.tsx'
import { mails } from '#web/admin/resources/mails.tsx'
import { navigations } from '#web/admin/resources/navigations.tsx'
import { permissions } from '#web/admin/resources/permissions.tsx'
import { punishments } from '#web/admin/resources/punishments.tsx'
import { reports } from '#web/admin/resources/reports.tsx'
import { missedWords, searchRecords } from '#web/admin/resources/search-records.tsx'
import { users } from '#web/admin/resources/users.tsx'

/** The screens that exist. A described one needs its line here; one written by hand has a route of its own and its path in `handmade`. */
const screens: Record<string, Resource> = {
  '/admin/document/list': documents,
  '/admin/document/category': documentCategories,
  '/admin/document/language': languages,
  '/admin/document/searchrecord': searchRecords,
  '/admin/document/missedword': missedWords,
  '/admin/document/recycle': documentRecycle,
  '/admin/article/list': articles,
  '/admin/article/category': articleCategories,
  '/admin/article/recycle': articleRecycle,
  '/admin/user/list': users,
  '/admin/user/group': groups,
  '/admin/user/permission': permissions,
  '/admin/user/punishment': punishments,
  '/admin/user/mail': mails,
  '/admin/comment': comments,
  '/admin/report': reports,
  '/admin/advertisement': advertisements,
  '/admin/banner': banners,
  '/admin/navigation': navigations,
  '/admin/friendlink': friendlinks,
  '/admin/attachment': attachments,
}

const handmade = new Set(['/admin/article/set', ...Object.keys(catalogue).map((group) => `/admin/config/${group}`)])

export function findScreen(path: string): Resource | undefined {
  const page = path.replace(/\/+$/, '')
  return Object.hasOwn(screens, page) ? screens[page] : undefined
}

export function pageExists(path: string): boolean {
  return findScreen(path) !== undefined || handmade.has(path)
}
