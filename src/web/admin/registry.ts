import { catalogue } from '#shared/settings.ts'
import type { Resource } from '#web/admin/resource.ts'
import { advertisements } from '#web/admin/resources/site/advertisements.tsx'
import { articleRecycle } from '#web/admin/resources/content/article-recycle.tsx'
import { articles } from '#web/admin/resources/content/articles.tsx'
import { attachments } from '#web/admin/resources/site/attachments.tsx'
import { banners } from '#web/admin/resources/site/banners.tsx'
import { articleCategories, documentCategories } from '#web/admin/resources/content/categories.tsx'
import { comments } from '#web/admin/resources/content/comments.tsx'
import { documentRecycle } from '#web/admin/resources/content/document-recycle.tsx'
import { documents } from '#web/admin/resources/content/documents.tsx'
import { friendlinks } from '#web/admin/resources/site/friendlinks.tsx'
import { audit } from '#web/admin/resources/users/audit.tsx'
import { groups } from '#web/admin/resources/users/groups.tsx'
import { languages } from '#web/admin/resources/content/languages.tsx'
import { mails } from '#web/admin/resources/users/mails.tsx'
import { navigations } from '#web/admin/resources/site/navigations.tsx'
import { permissions } from '#web/admin/resources/users/permissions.tsx'
import { punishments } from '#web/admin/resources/users/punishments.tsx'
import { reports } from '#web/admin/resources/content/reports.tsx'
import { missedWords, searchRecords } from '#web/admin/resources/content/search-records.tsx'
import { users } from '#web/admin/resources/users/users.tsx'

/** The described screens by path. Pages written by hand have a route of their own and their path in `handWrittenPages`. */
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
  '/admin/user/audit': audit,
  '/admin/comment': comments,
  '/admin/report': reports,
  '/admin/advertisement': advertisements,
  '/admin/banner': banners,
  '/admin/navigation': navigations,
  '/admin/friendlink': friendlinks,
  '/admin/attachment': attachments,
}

const handWrittenPages = new Set([
  '/admin/article/set',
  ...Object.keys(catalogue).map((group) => `/admin/config/${group}`),
])

export function findScreen(path: string): Resource | undefined {
  const page = path.replace(/\/+$/, '')
  return Object.hasOwn(screens, page) ? screens[page] : undefined
}

export function pageExists(path: string): boolean {
  return findScreen(path) !== undefined || handWrittenPages.has(path)
}
