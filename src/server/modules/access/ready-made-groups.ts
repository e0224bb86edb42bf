import { givers, type PermissionPath, permissionCatalogue, wirePath } from '#shared/permissions.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'

interface ReadyMadeGroup {
  title: string
  description: string
  color: string
  sort: number
  permissions: readonly PermissionPath[]
}

/** What a team usually consists of, beside the administrators. Owners change them as they like. */
export const readyMadeGroups: readonly ReadyMadeGroup[] = [
  {
    title: '审核员',
    description: '审核文档、文章和评论，处理举报',
    color: '#0e7490',
    sort: 90,
    permissions: [
      'DocumentAPI/ListDocument',
      'DocumentAPI/GetDocument',
      'DocumentAPI/CheckDocument',
      'DocumentAPI/DownloadDocumentToBeReviewed',
      'DocumentAPI/SetDocumentsCategory',
      'DocumentAPI/DeleteDocument',
      'ArticleAPI/ListArticle',
      'ArticleAPI/GetArticle',
      'ArticleAPI/CheckArticles',
      'ArticleAPI/SetArticlesCategory',
      'ArticleAPI/DeleteArticle',
      'CommentAPI/ListComment',
      'CommentAPI/GetComment',
      'CommentAPI/CheckComment',
      'CommentAPI/DeleteComment',
      'ReportAPI/ListReport',
      'ReportAPI/UpdateReport',
      'PunishmentAPI/ListPunishment',
      'PunishmentAPI/GetPunishment',
      'PunishmentAPI/CreatePunishment',
    ],
  },
  {
    title: '编辑',
    description: '整理文档和文章：修改、分类、推荐、回收；采集并发布',
    color: '#4d7c0f',
    sort: 80,
    permissions: [
      'DocumentAPI/ListDocument',
      'DocumentAPI/GetDocument',
      'DocumentAPI/UpdateDocument',
      'DocumentAPI/DeleteDocument',
      'DocumentAPI/SetDocumentRecommend',
      'DocumentAPI/SetDocumentReconvert',
      'DocumentAPI/SetDocumentsCategory',
      'DocumentAPI/SetDocumentsLanguage',
      'RecycleAPI/ListRecycleDocument',
      'RecycleAPI/RecoverRecycleDocument',
      'ArticleAPI/ListArticle',
      'ArticleAPI/GetArticle',
      'ArticleAPI/CreateArticle',
      'ArticleAPI/UpdateArticle',
      'ArticleAPI/DeleteArticle',
      'ArticleAPI/SetArticlesCategory',
      'ArticleAPI/RecommendArticles',
      'ArticleAPI/ListRecycleArticle',
      'ArticleAPI/RestoreRecycleArticle',
      'CategoryAPI/ListCategory',
      'CategoryAPI/GetCategory',
      'CategoryAPI/CreateCategory',
      'CategoryAPI/UpdateCategory',
      'CategoryAPI/DeleteCategory',
      'LanguageAPI/ListLanguage',
      'LanguageAPI/CreateLanguage',
      'LanguageAPI/UpdateLanguage',
      'LanguageAPI/UpdateLanguageStatus',
      'SearchRecordAPI/ListSearchRecord',
      'SpiderSourceAPI/ListSpiderSource',
      'SpiderSourceAPI/CreateSpiderSource',
      'SpiderSourceAPI/UpdateSpiderSource',
      'SpiderSourceAPI/DeleteSpiderSource',
      'SpiderUrlAPI/ListSpiderUrl',
      'SpiderUrlAPI/CreateSpiderUrl',
      'SpiderUrlAPI/UpdateSpiderUrl',
      'SpiderUrlAPI/DeleteSpiderUrl',
      'SpiderDocumentAPI/ListSpiderDocument',
      'SpiderDocumentAPI/UpdateSpiderDocument',
      'SpiderDocumentAPI/DeleteSpiderDocument',
      'SpiderDocumentAPI/PublishSpiderDocument',
      'upload/article',
      'upload/category',
    ],
  },
  {
    title: '运营',
    description: '布置网站：公告、横幅、广告、导航、友情链接和推荐，查看统计',
    color: '#7c3aed',
    sort: 70,
    permissions: [
      'AnnouncementAPI/ListAnnouncement',
      'AnnouncementAPI/GetAnnouncement',
      'AnnouncementAPI/CreateAnnouncement',
      'AnnouncementAPI/UpdateAnnouncement',
      'AnnouncementAPI/DeleteAnnouncement',
      'BannerAPI/ListBanner',
      'BannerAPI/GetBanner',
      'BannerAPI/CreateBanner',
      'BannerAPI/UpdateBanner',
      'BannerAPI/DeleteBanner',
      'AdvertisementAPI/ListAdvertisement',
      'AdvertisementAPI/GetAdvertisement',
      'AdvertisementAPI/CreateAdvertisement',
      'AdvertisementAPI/UpdateAdvertisement',
      'AdvertisementAPI/DeleteAdvertisement',
      'NavigationAPI/ListNavigation',
      'NavigationAPI/CreateNavigation',
      'NavigationAPI/UpdateNavigation',
      'NavigationAPI/DeleteNavigation',
      'FriendlinkAPI/ListFriendlink',
      'FriendlinkAPI/GetFriendlink',
      'FriendlinkAPI/CreateFriendlink',
      'FriendlinkAPI/UpdateFriendlink',
      'FriendlinkAPI/DeleteFriendlink',
      'DocumentAPI/ListDocument',
      'DocumentAPI/GetDocument',
      'DocumentAPI/SetDocumentRecommend',
      'DocumentAPI/SetDocumentsVip',
      'ArticleAPI/ListArticle',
      'ArticleAPI/GetArticle',
      'ArticleAPI/RecommendArticles',
      'SearchRecordAPI/ListSearchRecord',
      'SearchRecordAPI/DeleteSearchRecord',
      'ConfigAPI/GetStats',
      'ConfigAPI/UpdateSitemap',
      'upload/banner',
    ],
  },
  {
    title: '客服',
    description: '帮助用户：查看和修改资料，处理举报、处罚和邮件，查看订单，确认线下付款',
    color: '#be185d',
    sort: 60,
    permissions: [
      'UserAPI/ListUser',
      'UserAPI/GetUser',
      'UserAPI/UpdateUserProfile',
      'PunishmentAPI/ListPunishment',
      'PunishmentAPI/GetPunishment',
      'PunishmentAPI/CreatePunishment',
      'PunishmentAPI/UpdatePunishment',
      'PunishmentAPI/CancelPunishment',
      'ReportAPI/ListReport',
      'ReportAPI/UpdateReport',
      'CommentAPI/ListComment',
      'CommentAPI/GetComment',
      'CommentAPI/DeleteComment',
      'DocumentAPI/ListDocument',
      'DocumentAPI/GetDocument',
      'ArticleAPI/ListArticle',
      'ArticleAPI/GetArticle',
      'MailAPI/ListMail',
      'MailAPI/RetryMail',
      'OrderAPI/ListOrder',
      'OrderAPI/GetOrder',
      'OrderAPI/UpdateOrder',
      'VIPAPI/ListVIP',
    ],
  },
  {
    title: '财务',
    description: '管账：订单、确认线下付款、退款、下载码、对账、统计，导出 CSV',
    color: '#047857',
    sort: 50,
    permissions: [
      'OrderAPI/ListOrder',
      'OrderAPI/GetOrder',
      'OrderAPI/UpdateOrder',
      'OrderAPI/RefundOrder',
      'StatsAPI/ListStats',
      'DownloadCodeAPI/ListDownloadCode',
      'DownloadCodeAPI/CreateDownloadCode',
      'DownloadCodeAPI/DeleteDownloadCode',
      'VIPAPI/ListVIP',
    ],
  },
]

/** Staff are trusted: what they publish needs no review. */
const flags = {
  is_default: 0,
  is_display: 1,
  enable_upload: 1,
  enable_document_review: 0,
  enable_comment: 1,
  enable_comment_approval: 0,
  enable_article: 1,
  enable_article_approval: 0,
} as const

export async function findMissingGroups(db: Db): Promise<string[]> {
  const titles = readyMadeGroups.map(({ title }) => title)
  const present = await db.selectFrom('group').select('title').where('title', 'in', titles).execute()
  return titles.filter((wanted) => !present.some(({ title }) => title === wanted))
}

/** Groups that may give more away than the ready-made ones of their titles, with the titles of these permissions. */
export async function findGenerousGroups(db: Db): Promise<{ title: string; powers: string[] }[]> {
  const held = await db
    .selectFrom('group')
    .innerJoin('group_permission', 'group_permission.group_id', 'group.id')
    .innerJoin('permission', 'permission.id', 'group_permission.permission_id')
    .select(['group.title', 'permission.path'])
    .where('permission.path', 'in', givers.map(wirePath))
    .execute()
  return readyMadeGroups
    .map(({ title, permissions }) => {
      const meant = new Set(permissions.map(wirePath))
      const more = new Set(held.flatMap((row) => (row.title === title && !meant.has(row.path) ? row.path : [])))
      return { title, powers: permissionCatalogue.filter(({ path }) => more.has(path)).map(({ title }) => title) }
    })
    .filter(({ powers }) => powers.length > 0)
}

/** Adds those whose titles no group has; gives their titles. */
export async function insertReadyMadeGroups({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<string[]> {
  const added: string[] = []
  for (const { permissions, ...group } of readyMadeGroups) {
    const row = await db
      .insertInto('group')
      .values({ ...group, ...flags, created_at: now(), updated_at: now() })
      .onConflict((conflict) => conflict.column('title').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) continue
    await db
      .insertInto('group_permission')
      .columns(['group_id', 'permission_id'])
      .expression((eb) =>
        eb
          .selectFrom('permission')
          .select((eb) => [eb.val(row.id).as('group_id'), 'permission.id as permission_id'])
          .where('path', 'in', permissions.map(wirePath)),
      )
      .execute()
    added.push(group.title)
  }
  return added
}
