/** All permissions by area, with the admin pages that each area opens. */

export interface Permission {
  method: 'GRPC' | 'POST'
  path: string
  title: string
}

interface Area<M extends Record<string, string> = Record<string, string>> {
  title: string
  methods: M
  /** Holding this method opens `pages`. */
  list: string
  pages: readonly string[]
}

const areas = {
  DocumentAPI: area({
    title: '文档',
    list: 'ListDocument',
    pages: ['/admin/document', '/admin/document/list'],
    methods: {
      ListDocument: '查看文档列表',
      GetDocument: '查看文档',
      UpdateDocument: '修改文档',
      DeleteDocument: '删除文档',
      SetDocumentRecommend: '推荐文档',
      SetDocumentReconvert: '重新转换文档',
      SetDocumentsCategory: '批量修改文档分类',
      SetDocumentsLanguage: '批量修改文档语言',
      SetDocumentsVip: '批量标记 VIP 文档',
      CheckDocument: '审核文档',
      DownloadDocumentToBeReviewed: '下载待审核文档',
    },
  }),
  RecycleAPI: area({
    title: '文档回收站',
    list: 'ListRecycleDocument',
    pages: ['/admin/document/recycle'],
    methods: {
      ListRecycleDocument: '查看文档回收站',
      RecoverRecycleDocument: '恢复文档',
      DeleteRecycleDocument: '彻底删除文档',
      ClearRecycleDocument: '清空文档回收站',
    },
  }),
  SearchRecordAPI: area({
    title: '搜索记录',
    list: 'ListSearchRecord',
    pages: ['/admin/document/searchrecord', '/admin/document/missedword'],
    methods: { ListSearchRecord: '查看搜索记录', DeleteSearchRecord: '删除搜索记录' },
  }),
  LanguageAPI: area({
    title: '语言',
    list: 'ListLanguage',
    pages: ['/admin/document/language'],
    methods: {
      ListLanguage: '查看语言列表',
      CreateLanguage: '新增语言',
      UpdateLanguage: '修改语言',
      UpdateLanguageStatus: '启用或停用语言',
      DeleteLanguage: '删除语言',
    },
  }),
  CategoryAPI: area({
    title: '分类',
    list: 'ListCategory',
    pages: ['/admin/document/category', '/admin/article/category'],
    methods: {
      ListCategory: '查看分类列表',
      GetCategory: '查看分类',
      CreateCategory: '新增分类',
      UpdateCategory: '修改分类',
      DeleteCategory: '删除分类',
    },
  }),
  ArticleAPI: area({
    title: '文章',
    list: 'ListArticle',
    pages: ['/admin/article', '/admin/article/list', '/admin/article/recycle', '/admin/article/set'],
    methods: {
      ListArticle: '查看文章列表',
      GetArticle: '查看文章',
      CreateArticle: '新增文章',
      UpdateArticle: '修改文章',
      DeleteArticle: '删除文章',
      SetArticlesCategory: '批量修改文章分类',
      RecommendArticles: '推荐文章',
      CheckArticles: '审核文章',
      ListRecycleArticle: '查看文章回收站',
      RestoreRecycleArticle: '恢复文章',
      DeleteRecycleArticle: '彻底删除文章',
      EmptyRecycleArticle: '清空文章回收站',
    },
  }),
  CommentAPI: area({
    title: '评论',
    list: 'ListComment',
    pages: ['/admin/biz', '/admin/comment'],
    methods: {
      ListComment: '查看评论列表',
      GetComment: '查看评论',
      CheckComment: '审核评论',
      UpdateComment: '修改评论',
      DeleteComment: '删除评论',
    },
  }),
  CollectionAPI: area({
    title: '文集',
    list: 'ListCollection',
    pages: ['/admin/biz', '/admin/collection'],
    methods: {
      ListCollection: '查看全部文集',
      CheckCollection: '审核和隐藏文集',
      DeleteCollection: '删除文集',
    },
  }),
  ReportAPI: area({
    title: '举报',
    list: 'ListReport',
    pages: ['/admin/biz', '/admin/report'],
    methods: { ListReport: '查看举报列表', UpdateReport: '处理举报', DeleteReport: '删除举报' },
  }),
  UserAPI: area({
    title: '用户',
    list: 'ListUser',
    pages: ['/admin/user', '/admin/user/list', '/admin/user/invitation'],
    methods: {
      ListUser: '查看用户列表',
      GetUser: '查看用户资料',
      GetUserIdentity: '查看用户的真实姓名和身份证号',
      AddUser: '新增用户',
      SetUser: '设置用户组和密码',
      UpdateUserProfile: '修改用户资料',
      DeleteUser: '删除用户',
      AdjustUserCredit: '增减用户余额',
    },
  }),
  GroupAPI: area({
    title: '用户组',
    list: 'ListGroup',
    pages: ['/admin/user/group'],
    methods: {
      ListGroup: '查看用户组列表',
      CreateGroup: '新增用户组',
      UpdateGroup: '修改用户组',
      DeleteGroup: '删除用户组',
      GetGroupPermission: '查看用户组权限',
      UpdateGroupPermission: '设置用户组权限',
    },
  }),
  PermissionAPI: area({
    title: '权限',
    list: 'ListPermission',
    pages: ['/admin/user/permission'],
    methods: { ListPermission: '查看权限列表', GetPermission: '查看权限', UpdatePermission: '修改权限名称' },
  }),
  PunishmentAPI: area({
    title: '处罚',
    list: 'ListPunishment',
    pages: ['/admin/user/punishment'],
    methods: {
      ListPunishment: '查看处罚列表',
      GetPunishment: '查看处罚',
      CreatePunishment: '新增处罚',
      UpdatePunishment: '修改处罚',
      CancelPunishment: '取消处罚',
    },
  }),
  VIPAPI: area({
    title: 'VIP',
    list: 'ListVIP',
    pages: ['/admin/user/vip'],
    methods: {
      ListVIP: '查看 VIP 列表',
      CreateVIP: '为用户开通 VIP',
      DeleteVIP: '提前结束 VIP',
    },
  }),
  SmsAPI: area({
    title: '短信',
    list: 'ListSms',
    pages: ['/admin/user/sms'],
    methods: { ListSms: '查看短信记录', GetSms: '查看短信记录里完整的手机号', DeleteSms: '删除短信记录' },
  }),
  MailAPI: area({
    title: '邮件',
    list: 'ListMail',
    pages: ['/admin/user/mail'],
    methods: { ListMail: '查看邮件记录', RetryMail: '重新发送邮件', DeleteMail: '删除邮件记录' },
  }),
  AuditAPI: area({
    title: '操作日志',
    list: 'ListAudit',
    pages: ['/admin/user/audit'],
    methods: { ListAudit: '查看和导出操作日志' },
  }),
  OrderAPI: area({
    title: '订单',
    list: 'ListOrder',
    pages: ['/admin/order', '/admin/order/difference'],
    methods: {
      ListOrder: '查看订单列表',
      GetOrder: '查看订单',
      UpdateOrder: '确认、关闭和备注订单，对账',
      DeleteOrder: '删除订单',
      RefundOrder: '退款',
      RechargeOrder: '给用户充值',
      ApproveOutlay: '批准超过限额的发放和退款',
    },
  }),
  StatsAPI: area({
    title: '统计',
    list: 'ListStats',
    pages: ['/admin/biz', '/admin/statistics'],
    methods: { ListStats: '查看和导出阅读、销量和收入的统计' },
  }),
  DownloadCodeAPI: area({
    title: '下载码',
    list: 'ListDownloadCode',
    pages: ['/admin/downloadcode', '/admin/downloadcode/used'],
    methods: {
      ListDownloadCode: '查看下载码的批次和使用记录',
      CreateDownloadCode: '生成下载码',
      DeleteDownloadCode: '作废和删除下载码',
    },
  }),
  SpiderSourceAPI: area({
    title: '采集源',
    list: 'ListSpiderSource',
    pages: ['/admin/spider', '/admin/spider/source'],
    methods: {
      ListSpiderSource: '查看采集源',
      CreateSpiderSource: '新增采集源',
      UpdateSpiderSource: '修改、试采和运行采集源',
      DeleteSpiderSource: '删除采集源',
    },
  }),
  SpiderUrlAPI: area({
    title: '采集链接',
    list: 'ListSpiderUrl',
    pages: ['/admin/spider', '/admin/spider/url'],
    methods: {
      ListSpiderUrl: '查看采集链接',
      CreateSpiderUrl: '新增采集链接',
      UpdateSpiderUrl: '重新采集链接',
      DeleteSpiderUrl: '删除采集链接',
    },
  }),
  SpiderDocumentAPI: area({
    title: '采集文档',
    list: 'ListSpiderDocument',
    pages: ['/admin/spider', '/admin/spider/document'],
    methods: {
      ListSpiderDocument: '查看采集文档',
      UpdateSpiderDocument: '修改和下载采集文档',
      DeleteSpiderDocument: '删除采集文档',
      PublishSpiderDocument: '发布采集文档',
    },
  }),
  AdvertisementAPI: area({
    title: '广告',
    list: 'ListAdvertisement',
    pages: ['/admin/biz', '/admin/advertisement'],
    methods: {
      ListAdvertisement: '查看广告列表',
      GetAdvertisement: '查看广告',
      CreateAdvertisement: '新增广告',
      UpdateAdvertisement: '修改广告',
      DeleteAdvertisement: '删除广告',
    },
  }),
  AnnouncementAPI: area({
    title: '公告',
    list: 'ListAnnouncement',
    pages: ['/admin/biz', '/admin/announcement'],
    methods: {
      ListAnnouncement: '查看公告列表',
      GetAnnouncement: '查看公告',
      CreateAnnouncement: '新增公告',
      UpdateAnnouncement: '修改公告',
      DeleteAnnouncement: '删除公告',
    },
  }),
  TopicAPI: area({
    title: '专题',
    list: 'ListTopic',
    pages: ['/admin/biz', '/admin/topic'],
    methods: {
      ListTopic: '查看专题列表',
      CreateTopic: '新增专题',
      UpdateTopic: '修改专题',
      DeleteTopic: '删除专题',
    },
  }),
  BannerAPI: area({
    title: '横幅',
    list: 'ListBanner',
    pages: ['/admin/banner'],
    methods: {
      ListBanner: '查看横幅列表',
      GetBanner: '查看横幅',
      CreateBanner: '新增横幅',
      UpdateBanner: '修改横幅',
      DeleteBanner: '删除横幅',
    },
  }),
  NavigationAPI: area({
    title: '导航',
    list: 'ListNavigation',
    pages: ['/admin/navigation'],
    methods: {
      ListNavigation: '查看导航列表',
      CreateNavigation: '新增导航',
      UpdateNavigation: '修改导航',
      DeleteNavigation: '删除导航',
    },
  }),
  FriendlinkAPI: area({
    title: '友情链接',
    list: 'ListFriendlink',
    pages: ['/admin/friendlink'],
    methods: {
      ListFriendlink: '查看友情链接列表',
      GetFriendlink: '查看友情链接',
      CreateFriendlink: '新增友情链接',
      UpdateFriendlink: '修改友情链接',
      DeleteFriendlink: '删除友情链接',
    },
  }),
  AttachmentAPI: area({
    title: '附件',
    list: 'ListAttachment',
    pages: ['/admin/attachment'],
    methods: { ListAttachment: '查看附件列表', GetAttachment: '查看附件', UpdateAttachment: '修改附件' },
  }),
  ConfigAPI: area({
    title: '系统设置',
    list: 'ListConfig',
    pages: [
      '/admin/config',
      '/admin/config/system',
      '/admin/config/display',
      '/admin/config/footer',
      '/admin/config/security',
      '/admin/config/captcha',
      '/admin/config/email',
      '/admin/config/mail_text',
      '/admin/config/sms',
      '/admin/config/oauth',
      '/admin/config/score',
      '/admin/config/vip',
      '/admin/config/pay',
      '/admin/config/download',
      '/admin/config/converter',
      '/admin/config/search',
      '/admin/config/spider',
      '/admin/config/miniprogram',
      '/admin/config/ssr',
      '/admin/config/backup',
    ],
    methods: {
      ListConfig: '查看系统设置',
      UpdateConfig: '修改系统设置',
      GetStats: '查看网站统计',
      UpdateSitemap: '更新站点地图',
      GetEnvs: '查看运行环境',
      GetDeviceInfo: '查看服务器状态',
    },
  }),
}

type Areas = typeof areas
type MethodPath = { [A in keyof Areas & string]: `${A}/${keyof Areas[A]['methods'] & string}` }[keyof Areas & string]

const uploads = {
  banner: '上传横幅图片',
  article: '上传文章图片和视频',
  category: '上传分类图片',
  config: '上传设置图片',
  avatar: '上传头像',
} as const

/** The group of the administrators, which a site starts with: its members hold every permission, and only they change it. */
export const administratorsId = 1

/** `Area/Method` or `upload/kind`, which are `/api.v1.Area/Method` and `/api/v1/upload/kind` on the wire. */
export type PermissionPath = MethodPath | `upload/${keyof typeof uploads}`

export const permissionCatalogue: readonly Permission[] = [
  ...Object.entries<Area>(areas).flatMap(([area, { methods }]) =>
    Object.entries(methods).map(([method, title]): Permission => ({
      method: 'GRPC',
      path: `/api.v1.${area}/${method}`,
      title,
    })),
  ),
  ...Object.entries(uploads).map(([kind, title]): Permission => ({
    method: 'POST',
    path: `/api/v1/upload/${kind}`,
    title,
  })),
]

export function wirePath(path: PermissionPath): string {
  return path.startsWith('upload/') ? `/api/v1/${path}` : `/api.v1.${path}`
}

/**
 * The admin pages that a set of permissions opens: an area's pages need its list method, or the REST path of its list; the
 * review desk needs a permission to review.
 */
export function getAdminPages(permissions: Iterable<string>): string[] {
  const paths = new Set(permissions)
  const opened = Object.entries<Area>(areas).filter(
    ([area, { list }]) => paths.has(`/api.v1.${area}/${list}`) || paths.has(`/api/v1/${restName(area)}/list`),
  )
  const pages = opened.flatMap(([, { pages }]) => pages)
  const replacements = paths.has(wirePath('DocumentAPI/CheckDocument')) ? [replacementPage] : []
  const review = reviews.some((path) => paths.has(wirePath(path))) ? [reviewPage] : []
  const outlay = givers.some((path) => paths.has(wirePath(path))) ? [outlayPage] : []
  return [...new Set([...pages, ...replacements, ...review, ...outlay])]
}

/** Files that replace those of documents: for reviewers. */
const replacementPage = '/admin/document/replacement'

/** Reviewers of any kind of content have one page in common. */
const reviewPage = '/admin/review'
const reviews: readonly PermissionPath[] = [
  'DocumentAPI/CheckDocument',
  'ArticleAPI/CheckArticles',
  'CommentAPI/CheckComment',
]

/** Staff who give something away see which of their outlays wait for a second person. */
const outlayPage = '/admin/outlay'
export const givers: readonly PermissionPath[] = [
  'OrderAPI/ApproveOutlay',
  'OrderAPI/RefundOrder',
  'OrderAPI/RechargeOrder',
  'VIPAPI/CreateVIP',
  'DownloadCodeAPI/CreateDownloadCode',
  'UserAPI/AdjustUserCredit',
]

/** The area of a permission: `/api.v1.Area/Method` has it in its name, a REST path in its fourth segment. */
export function getPermissionArea(path: string): PermissionArea {
  const [, service = '', , segment = ''] = path.split('/')
  const name = /^api\.v1\.(\w+)$/.exec(service)?.[1] ?? segment
  if (name === 'upload') return { key: name, title: '上传管理' }
  const known = Object.entries<Area>(areas).find(([area]) => area === name || restName(area) === name)
  return known ? { key: known[0], title: known[1].title } : { key: name, title: name }
}

export interface PermissionArea {
  key: string
  title: string
}

/** The areas that exist, in the order of the catalogue. */
export const permissionAreas: readonly PermissionArea[] = [
  ...new Map(
    permissionCatalogue.map(({ path }) => getPermissionArea(path)).map((found) => [found.key, found]),
  ).values(),
]

/** `SearchRecordAPI` is `searchrecord` in REST paths. */
function restName(area: string): string {
  return area.replace(/API$/, '').toLowerCase()
}

function area<M extends Record<string, string>>(declaration: Area<M> & { list: keyof M }): Area<M> {
  return declaration
}
