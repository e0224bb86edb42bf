import {
  AppstoreOutlined,
  FileTextOutlined,
  GlobalOutlined,
  ReadOutlined,
  SettingOutlined,
  TeamOutlined,
} from '@ant-design/icons'
import type { ReactNode } from 'react'
import { catalogue } from '#shared/settings.ts'

/** The admin menu with its planned pages; pages that do not exist yet are hidden. */

export interface MenuGroup {
  key: string
  title: string
  icon: ReactNode
  pages: readonly (readonly [path: string, label: string])[]
}

export const dashboardPath = '/admin/dashboard'

const menuGroups: readonly MenuGroup[] = [
  {
    key: 'document',
    title: '文档',
    icon: <FileTextOutlined />,
    pages: [
      ['/admin/document/list', '文档管理'],
      ['/admin/document/category', '文档分类'],
      ['/admin/document/language', '语言管理'],
      ['/admin/document/searchrecord', '搜索记录'],
      ['/admin/document/missedword', '未搜到的词'],
      ['/admin/document/recycle', '文档回收站'],
    ],
  },
  {
    key: 'article',
    title: '文章',
    icon: <ReadOutlined />,
    pages: [
      ['/admin/article/list', '文章管理'],
      ['/admin/article/category', '文章分类'],
      ['/admin/article/recycle', '文章回收站'],
    ],
  },
  {
    key: 'user',
    title: '用户',
    icon: <TeamOutlined />,
    pages: [
      ['/admin/user/list', '用户管理'],
      ['/admin/user/group', '用户组'],
      ['/admin/user/permission', '权限管理'],
      ['/admin/user/punishment', '处罚管理'],
      ['/admin/user/vip', 'VIP 管理'],
      ['/admin/user/sms', '短信记录'],
      ['/admin/user/mail', '邮件记录'],
      ['/admin/user/audit', '操作日志'],
    ],
  },
  {
    key: 'biz',
    title: '运营',
    icon: <AppstoreOutlined />,
    pages: [
      ['/admin/comment', '评论管理'],
      ['/admin/report', '举报管理'],
      ['/admin/order', '订单管理'],
      ['/admin/advertisement', '广告管理'],
      ['/admin/banner', '横幅管理'],
      ['/admin/navigation', '导航管理'],
      ['/admin/friendlink', '友情链接'],
      ['/admin/attachment', '附件管理'],
    ],
  },
  {
    key: 'spider',
    title: '采集',
    icon: <GlobalOutlined />,
    pages: [
      ['/admin/spider/url', '采集链接'],
      ['/admin/spider/document', '采集文档'],
    ],
  },
  {
    key: 'config',
    title: '设置',
    icon: <SettingOutlined />,
    pages: Object.entries(catalogue).map(([group, { title }]) => [`/admin/config/${group}`, title] as const),
  },
]

/** Pages that are opened from another page, which stays highlighted in the menu. */
const subpages: Record<string, { label: string; parent: string } | undefined> = {
  '/admin/article/set': { label: '文章编辑', parent: '/admin/article/list' },
}

export function pageLabel(path: string): string | undefined {
  if (path === dashboardPath) return '仪表盘'
  return subpages[path]?.label ?? menuGroups.flatMap(({ pages }) => pages).find(([page]) => page === path)?.[1]
}

export function findGroup(path: string): MenuGroup | undefined {
  return menuGroups.find(({ pages }) => pages.some(([page]) => page === toMenuPage(path)))
}

export function toMenuPage(path: string): string {
  return subpages[path]?.parent ?? path
}

/** The groups with only the pages for which the predicate holds, without empty groups. */
export function filterMenu(isShown: (page: string) => boolean): MenuGroup[] {
  return menuGroups
    .map((group) => ({ ...group, pages: group.pages.filter(([page]) => isShown(page)) }))
    .filter(({ pages }) => pages.length > 0)
}
