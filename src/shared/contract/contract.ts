import { groups, permissions, punishments } from './access.ts'
import { factorLogins, passkeys, proofs, secondFactor } from './account-security.ts'
import { activities } from './activities.ts'
import { announcements } from './announcements.ts'
import { articleDrafts } from './article-drafts.ts'
import { articleLikes } from './article-likes.ts'
import { articleVersions } from './article-versions.ts'
import { articleRecycle, articles } from './articles.ts'
import { attachments, uploads } from './attachments.ts'
import { audits } from './audit.ts'
import { invitations } from './invitations.ts'
import { categories, languages } from './catalog.ts'
import { backups } from './backups.ts'
import { checklist } from './checklist.ts'
import { codes } from './codes.ts'
import { codeSignIn, ownMobile } from './code-sign-in.ts'
import { collections } from './collections.ts'
import { comments } from './comments.ts'
import { credits } from './credits.ts'
import { replacements } from './document-files.ts'
import { documentShares } from './document-shares.ts'
import { documentRecycle, documents } from './documents.ts'
import { downloads } from './downloads.ts'
import { favorites } from './favorites.ts'
import { follows } from './follows.ts'
import { sitemaps } from './feeds.ts'
import { oauth } from './oauth.ts'
import { notifications } from './notifications.ts'
import { orders } from './orders.ts'
import { outlays } from './outlays.ts'
import { mails, mailTests } from './mail.ts'
import { privacy } from './privacy.ts'
import { annotations, bookmarks, reading } from './reading.ts'
import { reports } from './reports.ts'
import { savedViews } from './saved-views.ts'
import { searches, searchRecords } from './search.ts'
import { settings } from './settings.ts'
import { advertisements, banners, friendlinks, navigations } from './site.ts'
import { sms, smsTests } from './sms.ts'
import { spiderAbout } from './spider-about.ts'
import { spiderDocuments, spiderSources, spiderUrls } from './spider.ts'
import { stats, visits } from './stats.ts'
import { environment, machine } from './system.ts'
import { topics } from './topics.ts'
import { sessions, users } from './users.ts'
import { vip } from './vip.ts'

/** Every endpoint of the product. */
export const contract = {
  settings,
  audits,
  invitations,
  stats,
  mails,
  mailTests,
  sms,
  smsTests,
  visits,
  environment,
  machine,
  backups,
  checklist,
  sitemaps,
  groups,
  permissions,
  punishments,
  users,
  codeSignIn,
  ownMobile,
  sessions,
  oauth,
  secondFactor,
  proofs,
  factorLogins,
  passkeys,
  savedViews,
  attachments,
  uploads,
  navigations,
  friendlinks,
  banners,
  advertisements,
  announcements,
  topics,
  categories,
  languages,
  searches,
  searchRecords,
  documents,
  documentRecycle,
  documentShares,
  replacements,
  vip,
  downloads,
  codes,
  orders,
  outlays,
  articles,
  articleRecycle,
  articleDrafts,
  articleVersions,
  articleLikes,
  spiderSources,
  spiderUrls,
  spiderDocuments,
  spiderAbout,
  comments,
  favorites,
  reading,
  bookmarks,
  annotations,
  collections,
  follows,
  reports,
  notifications,
  privacy,
  credits,
  activities,
}

/** Titles of the parts of the contract, for the admin pages. */
export const areaTitles: Record<keyof typeof contract, string> = {
  settings: '设置',
  audits: '操作日志',
  invitations: '邀请',
  stats: '统计',
  mails: '邮件',
  mailTests: '测试邮件',
  sms: '短信',
  smsTests: '测试短信',
  visits: '访问',
  environment: '转换程序',
  machine: '服务器',
  backups: '备份',
  checklist: '开站清单',
  sitemaps: '站点地图',
  groups: '用户组',
  permissions: '权限',
  punishments: '处罚',
  users: '用户',
  codeSignIn: '验证码登录',
  ownMobile: '绑定手机号',
  sessions: '登录会话',
  oauth: '第三方登录',
  secondFactor: '两步验证',
  proofs: '身份验证',
  factorLogins: '两步登录',
  passkeys: '通行密钥',
  savedViews: '列表视图',
  attachments: '附件',
  uploads: '上传',
  navigations: '导航',
  friendlinks: '友情链接',
  banners: '横幅',
  advertisements: '广告',
  announcements: '公告',
  topics: '专题',
  categories: '分类',
  languages: '语言',
  searches: '搜索',
  searchRecords: '搜索记录',
  documents: '文档',
  documentRecycle: '文档回收站',
  documentShares: '文档分享链接',
  replacements: '文件替换',
  vip: 'VIP',
  downloads: '下载',
  codes: '下载码',
  orders: '订单',
  outlays: '大额审批',
  articles: '文章',
  articleRecycle: '文章回收站',
  articleDrafts: '文章草稿',
  articleVersions: '文章历史版本',
  articleLikes: '文章点赞',
  spiderSources: '采集源',
  spiderUrls: '采集链接',
  spiderDocuments: '采集文档',
  spiderAbout: '采集程序',
  comments: '评论',
  favorites: '收藏',
  reading: '阅读进度',
  bookmarks: '书签',
  annotations: '笔记',
  collections: '文集',
  follows: '关注',
  reports: '举报',
  notifications: '通知',
  privacy: '隐私',
  credits: '余额',
  activities: '动态',
}
