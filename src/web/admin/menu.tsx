import {
  AccountBookOutlined,
  AppstoreOutlined,
  AuditOutlined,
  FileTextOutlined,
  GlobalOutlined,
  ReadOutlined,
  SettingOutlined,
  TeamOutlined,
} from '@ant-design/icons'
import type { ReactNode } from 'react'
import { catalogue } from '#shared/settings.ts'
import type { Resource } from '#web/admin/resource.ts'
import { advertisements } from '#web/admin/resources/site/advertisements.tsx'
import { announcements } from '#web/admin/resources/site/announcements.tsx'
import { articleRecycle } from '#web/admin/resources/content/article-recycle.tsx'
import { articles } from '#web/admin/resources/content/articles.tsx'
import { attachments } from '#web/admin/resources/site/attachments.tsx'
import { banners } from '#web/admin/resources/site/banners.tsx'
import { articleCategories, documentCategories } from '#web/admin/resources/content/categories.tsx'
import { collections } from '#web/admin/resources/content/collections.tsx'
import { comments } from '#web/admin/resources/content/comments.tsx'
import { documentRecycle } from '#web/admin/resources/content/document-recycle.tsx'
import { documents } from '#web/admin/resources/content/documents.tsx'
import { downloadCodes, usedDownloadCodes } from '#web/admin/resources/site/download-codes.tsx'
import { friendlinks } from '#web/admin/resources/site/friendlinks.tsx'
import { audit } from '#web/admin/resources/users/audit.tsx'
import { groups } from '#web/admin/resources/users/groups.tsx'
import { invitations } from '#web/admin/resources/users/invitations.tsx'
import { languages } from '#web/admin/resources/content/languages.tsx'
import { mails } from '#web/admin/resources/users/mails.tsx'
import { sms } from '#web/admin/resources/users/sms.tsx'
import { navigations } from '#web/admin/resources/site/navigations.tsx'
import { permissions } from '#web/admin/resources/users/permissions.tsx'
import { punishments } from '#web/admin/resources/users/punishments.tsx'
import { replacements } from '#web/admin/resources/content/replacements.tsx'
import { missedWords, searchRecords } from '#web/admin/resources/content/search-records.tsx'
import { topics } from '#web/admin/resources/content/topics.tsx'
import { users } from '#web/admin/resources/users/users.tsx'
import { differences } from '#web/admin/resources/orders/differences.tsx'
import { spiderDocuments } from '#web/admin/resources/spider/documents.tsx'
import { spiderSources } from '#web/admin/resources/spider/sources.tsx'
import { spiderUrls } from '#web/admin/resources/spider/urls.tsx'
import { orders } from '#web/admin/resources/orders/orders.tsx'
import { outlays } from '#web/admin/resources/orders/outlays.tsx'
import type { MenuPage } from '#web/admin/settings/find-settings.ts'
import { vipCards } from '#web/admin/resources/users/vip-cards.tsx'

/** The pages of the admin, by group. */

export interface MenuGroup {
  key: string
  title: string
  icon: ReactNode
  pages: readonly Page[]
}

type Page = readonly [path: string, label: string, screen: Resource | typeof ownRoute]

/** Written by hand, with a route of its own. */
const ownRoute = 'own-route'

export const dashboardPath = '/admin/dashboard'
export const reviewPath = '/admin/review'

const menuGroups: readonly MenuGroup[] = [
  {
    key: 'document',
    title: '文档',
    icon: <FileTextOutlined />,
    pages: [
      ['/admin/document/list', '文档管理', documents],
      ['/admin/document/replacement', '文件替换', replacements],
      ['/admin/document/category', '文档分类', documentCategories],
      ['/admin/document/language', '语言管理', languages],
      ['/admin/document/searchrecord', '搜索记录', searchRecords],
      ['/admin/document/missedword', '未搜到的词', missedWords],
      ['/admin/document/recycle', '文档回收站', documentRecycle],
    ],
  },
  {
    key: 'article',
    title: '文章',
    icon: <ReadOutlined />,
    pages: [
      ['/admin/article/list', '文章管理', articles],
      ['/admin/article/category', '文章分类', articleCategories],
      ['/admin/article/recycle', '文章回收站', articleRecycle],
    ],
  },
  {
    key: 'user',
    title: '用户',
    icon: <TeamOutlined />,
    pages: [
      ['/admin/user/list', '用户管理', users],
      ['/admin/user/invitation', '邀请', invitations],
      ['/admin/user/group', '用户组', groups],
      ['/admin/user/permission', '权限管理', permissions],
      ['/admin/user/sms', '短信记录', sms],
      ['/admin/user/mail', '邮件记录', mails],
      ['/admin/user/audit', '操作日志', audit],
    ],
  },
  {
    key: 'check',
    title: '审核',
    icon: <AuditOutlined />,
    pages: [
      [reviewPath, '审核台', ownRoute],
      ['/admin/comment', '评论管理', comments],
      ['/admin/collection', '文集管理', collections],
      ['/admin/report', '举报管理', ownRoute],
      ['/admin/user/punishment', '处罚管理', punishments],
    ],
  },
  {
    key: 'trade',
    title: '交易',
    icon: <AccountBookOutlined />,
    pages: [
      ['/admin/order', '订单管理', orders],
      ['/admin/order/difference', '对账差异', differences],
      ['/admin/outlay', '大额审批', outlays],
      ['/admin/downloadcode', '下载码', downloadCodes],
      ['/admin/downloadcode/used', '下载码使用记录', usedDownloadCodes],
      ['/admin/user/vip', 'VIP 管理', vipCards],
    ],
  },
  {
    key: 'biz',
    title: '运营',
    icon: <AppstoreOutlined />,
    pages: [
      ['/admin/statistics', '统计', ownRoute],
      ['/admin/advertisement', '广告管理', advertisements],
      ['/admin/announcement', '公告管理', announcements],
      ['/admin/topic', '专题管理', topics],
      ['/admin/banner', '横幅管理', banners],
      ['/admin/navigation', '导航管理', navigations],
      ['/admin/friendlink', '友情链接', friendlinks],
      ['/admin/attachment', '附件管理', attachments],
    ],
  },
  {
    key: 'spider',
    title: '采集',
    icon: <GlobalOutlined />,
    pages: [
      ['/admin/spider/source', '采集源', spiderSources],
      ['/admin/spider/url', '采集链接', spiderUrls],
      ['/admin/spider/document', '采集文档', spiderDocuments],
    ],
  },
  {
    key: 'config',
    title: '设置',
    icon: <SettingOutlined />,
    pages: Object.entries(catalogue).map(([group, { title }]): Page => [`/admin/config/${group}`, title, ownRoute]),
  },
]

/** Every page but those of settings, for a search over them. */
export function searchedPages(canOpen: (page: string) => boolean): MenuPage[] {
  return filterMenu(canOpen)
    .filter(({ key }) => key !== 'config')
    .flatMap(({ title: groupTitle, pages }) =>
      pages.map(([path, label, screen]) => {
        const hint = screen === ownRoute ? undefined : screen.hint
        return { path, label, groupTitle, hint: typeof hint === 'string' ? hint : '' }
      }),
    )
}

/** Opened from another page, which stays highlighted in the menu; with routes of their own. */
const subpages: Record<string, { label: string; parent: string } | undefined> = {
  '/admin/article/set': { label: '文章编辑', parent: '/admin/article/list' },
}

export function pageLabel(path: string): string | undefined {
  if (path === dashboardPath) return '仪表盘'
  return subpages[path]?.label ?? findPage(path)?.[1]
}

/** The described screen at a path. */
export function findScreen(path: string): Resource | undefined {
  const screen = findPage(path.replace(/\/+$/, ''))?.[2]
  return screen === ownRoute ? undefined : screen
}

/** Where a path that is no page itself leads: that of a group to its first page that can be opened, or the dashboard. */
export function findStartPage(path: string, canOpen: (page: string) => boolean): string | undefined {
  if (path === '/admin/index') return dashboardPath
  const group = menuGroups.find(({ key }) => path === `/admin/${key}`)
  if (!group) return undefined
  return group.pages.find(([page]) => canOpen(page))?.[0] ?? dashboardPath
}

function findPage(path: string): Page | undefined {
  return menuGroups.flatMap(({ pages }) => pages).find(([page]) => page === path)
}

export function findGroup(path: string): MenuGroup | undefined {
  const menuPage = toMenuPage(path)
  return menuGroups.find(({ pages }) => pages.some(([page]) => page === menuPage))
}

/** The entry of the menu that a path belongs to: itself, the page that opens it, or the page above it. */
export function toMenuPage(path: string): string {
  const page = path.replace(/\/+$/, '')
  if (page === '/admin' || page === '/admin/index') return dashboardPath
  const parent = subpages[page]?.parent
  if (parent) return parent
  if (findPage(page)) return page
  const above = menuGroups.flatMap(({ pages }) => pages).find(([entry]) => page.startsWith(`${entry}/`))
  return above?.[0] ?? page
}

/** The groups with only the pages for which the predicate holds, without empty groups. */
export function filterMenu(isShown: (page: string) => boolean): MenuGroup[] {
  return menuGroups
    .map((group) => ({ ...group, pages: group.pages.filter(([page]) => isShown(page)) }))
    .filter(({ pages }) => pages.length > 0)
}
