import { groups, permissions, punishments } from './access.ts'
import { activities } from './activities.ts'
import { announcements } from './announcements.ts'
import { articleRecycle, articles } from './articles.ts'
import { attachments, uploads } from './attachments.ts'
import { audits } from './audit.ts'
import { categories, languages } from './catalog.ts'
import { checklist } from './checklist.ts'
import { codes } from './codes.ts'
import { comments } from './comments.ts'
import { credits } from './credits.ts'
import { documentRecycle, documents } from './documents.ts'
import { downloads } from './downloads.ts'
import { favorites } from './favorites.ts'
import { sitemaps } from './feeds.ts'
import { orders } from './orders.ts'
import { mails, mailTests } from './mail.ts'
import { privacy } from './privacy.ts'
import { reports } from './reports.ts'
import { savedViews } from './saved-views.ts'
import { searches, searchRecords } from './search.ts'
import { settings } from './settings.ts'
import { advertisements, banners, friendlinks, navigations } from './site.ts'
import { stats, visits } from './stats.ts'
import { environment, machine } from './system.ts'
import { sessions, users } from './users.ts'
import { vip } from './vip.ts'

/** Every endpoint of the product. */
export const contract = {
  settings,
  audits,
  stats,
  mails,
  mailTests,
  visits,
  environment,
  machine,
  checklist,
  sitemaps,
  groups,
  permissions,
  punishments,
  users,
  sessions,
  savedViews,
  attachments,
  uploads,
  navigations,
  friendlinks,
  banners,
  advertisements,
  announcements,
  categories,
  languages,
  searches,
  searchRecords,
  documents,
  documentRecycle,
  vip,
  downloads,
  codes,
  orders,
  articles,
  articleRecycle,
  comments,
  favorites,
  reports,
  privacy,
  credits,
  activities,
}

/** Titles of the parts of the contract, for the admin pages. */
export const areaTitles: Record<keyof typeof contract, string> = {
  settings: '设置',
  audits: '操作日志',
  stats: '统计',
  mails: '邮件',
  mailTests: '测试邮件',
  visits: '访问',
  environment: '转换程序',
  machine: '服务器',
  checklist: '开站清单',
  sitemaps: '站点地图',
  groups: '用户组',
  permissions: '权限',
  punishments: '处罚',
  users: '用户',
  sessions: '登录会话',
  savedViews: '列表视图',
  attachments: '附件',
  uploads: '上传',
  navigations: '导航',
  friendlinks: '友情链接',
  banners: '横幅',
  advertisements: '广告',
  announcements: '公告',
  categories: '分类',
  languages: '语言',
  searches: '搜索',
  searchRecords: '搜索记录',
  documents: '文档',
  documentRecycle: '文档回收站',
  vip: 'VIP',
  downloads: '下载',
  codes: '下载码',
  orders: '订单',
  articles: '文章',
  articleRecycle: '文章回收站',
  comments: '评论',
  favorites: '收藏',
  reports: '举报',
  privacy: '隐私',
  credits: '积分',
  activities: '动态',
}
