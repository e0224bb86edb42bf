/** Declared errors: a stable reason, an HTTP status, a message in Chinese that says what to do. */

export interface FieldProblem {
  field: string
  message: string
}

/** What a log-in with a second factor goes on with. */
export interface LoginChallenge {
  /** Valid once, for a few minutes. */
  id: string
  methods: FactorMethod[]
}

/** What a member proves with beside, or instead of, the password. */
export type FactorMethod = 'totp' | 'recovery' | 'passkey'

export class AppError extends Error {
  readonly reason: string
  readonly status: number
  readonly details: FieldProblem[]
  challenge: LoginChallenge | undefined

  constructor(reason: string, status: number, message: string, details: FieldProblem[] = []) {
    super(message)
    this.name = 'AppError'
    this.reason = reason
    this.status = status
    this.details = details
  }

  /** The same, to be shown beside a field. */
  at(field: string, message = this.message): AppError {
    return new AppError(this.reason, this.status, this.message, [{ field, message }])
  }

  /** The same, and how to go on. */
  asking(challenge: LoginChallenge): AppError {
    const error = new AppError(this.reason, this.status, this.message, this.details)
    error.challenge = challenge
    return error
  }
}

/** The status of an ApiError for a request that got no response. */
export const networkFailure = 0

/** The same error on the client. */
export class ApiError extends Error {
  readonly status: number
  readonly reason: string
  readonly details: FieldProblem[]
  readonly challenge: LoginChallenge | undefined

  constructor(init: {
    status: number
    message: string
    reason?: string
    details?: FieldProblem[]
    challenge?: LoginChallenge
  }) {
    super(init.message)
    this.name = 'ApiError'
    this.status = init.status
    this.reason = init.reason ?? ''
    this.details = init.details ?? []
    this.challenge = init.challenge
  }
}

/** The gRPC code of each HTTP status, which API clients expect. */
export const wireCodes: Record<number, number> = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  409: 6,
  413: 3,
  429: 8,
  500: 13,
  501: 12,
  503: 14,
  507: 8,
}

type Message = string | ((value: never) => string)
type Thrower<M extends Message> = M extends (value: infer V) => string ? (value: V) => AppError : () => AppError

const noDownloads = '网站暂时不提供下载'

export const errors = {
  request: reasons('request', {
    invalid: [400, (message: string) => message],
    notJson: [400, '请求内容不是有效的 JSON'],
    notObject: [400, '请求内容必须是 JSON 对象'],
    tooComplex: [400, '请求的项数太多或层次太深，请分几次提交'],
    tooLarge: [413, '请求内容过大'],
    notFound: [404, '接口不存在'],
    tooMany: [429, (seconds: number) => `操作过于频繁，请 ${seconds} 秒后再试`],
    timeout: [503, '服务器处理超时，请稍后重试'],
    databaseUnreachable: [503, '网站暂时连接不上数据库，请稍后重试'],
    internal: [500, (id: string) => `服务器出错了，请稍后重试（编号 ${id}）`],
  }),
  access: reasons('access', {
    loginNeeded: [401, '请先登录'],
    denied: [403, '您没有权限进行此操作'],
    ownGain: [403, '给自己或同组管理人员的发放、确认和退款，请让站长或其他组的管理人员办理'],
    siteClosed: [403, '网站暂时关闭，仅管理员可以访问'],
    passwordOwed: [403, '这个密码是别人设置的，请先到“个人中心”的“修改密码”里换成自己的'],
    secondFactorOwed: [403, '网站要求管理人员开启两步验证，请先到“个人中心”的“账号安全”里开启'],
  }),
  security: reasons('security', {
    factorNeeded: [403, '这个账号开启了两步验证，还差一步；不能在这里完成时，请到网页上登录'],
    proofNeeded: [403, '请先验证身份，再进行这项操作'],
    noProof: [403, '您的账号没有密码，请退出后重新登录，再进行这项操作'],
    codeWrong: [400, '验证码不正确或已经用过，请等下一个验证码；一直不对时，请检查手机的时间是否准确'],
    challengeOver: [400, '验证已经超时，请重新开始'],
    answerNeeded: [400, '请输入验证码'],
    notBegun: [400, '请先扫描二维码，再输入验证码'],
    off: [400, '还没有开启两步验证'],
    demanded: [403, '网站要求管理人员开启两步验证，不能关闭'],
    unreadable: [500, '网站更换过密钥，无法核对验证码，请使用恢复码或联系管理员'],
    passkeysOff: [400, '网站没有设置域名，不能使用通行密钥，请联系管理员'],
    passkeyRefused: [400, '通行密钥没有通过验证，请重试，或换一种方式'],
    passkeyUnknown: [400, '这个通行密钥不属于本站的账号，或已经删除，请换一种方式'],
    passkeyCloned: [403, '这个通行密钥可能被复制过，已经停用，请换一种方式登录，并删除它'],
    passkeyTwice: [409, '这个通行密钥已经添加过了'],
    passkeyNotFound: [404, '通行密钥不存在或已被删除'],
    tooManyPasskeys: [400, (limit: number) => `最多添加 ${limit} 个通行密钥，请先删除不用的`],
    lastWayIn: [403, '这是您登录的唯一方式，请先设置密码，再删除它'],
    passkeyNeeded: [400, '请先添加通行密钥'],
  }),
  users: reasons('users', {
    notFound: [404, '用户不存在'],
    ownerGone: [400, '指定的用户不存在或已注销，请换一位用户'],
    wrongCredentials: [400, '账号或密码不正确'],
    slowDown: [429, (seconds: number) => `尝试次数过多，请 ${seconds} 秒后再试`],
    wrongPassword: [400, '原密码不正确'],
    ownPasswordWrong: [400, '您的登录密码不正确'],
    samePassword: [400, '新密码不能与原密码相同'],
    passwordTooShort: [400, '密码至少 8 个字符'],
    passwordCommon: [400, '这个密码太常见，容易被别人猜到，请换一个'],
    passwordNamed: [400, '密码不能与用户名、邮箱或网站名称相同，请换一个'],
    registerClosed: [400, '网站暂未开放注册'],
    siteClosed: [400, '网站已关闭，暂不接受注册'],
    nameLength: [400, '用户名需要 3 到 32 个字符'],
    nameLooksLikeAddress: [400, '用户名不能是邮箱或手机号的样式'],
    nameHasOddCharacters: [400, '用户名只能包含中文、字母、数字、下划线、点和短横线'],
    nameReserved: [400, '这个用户名容易被当成本站的工作人员，请换一个'],
    nameNeeded: [400, '请输入登录用户名'],
    renamedLately: [403, (date: string) => `用户名不久前改过，${date} 之后可以再改`],
    renamedTooOften: [429, '今天改用户名的次数已达上限，请明天再试'],
    nameTaken: [409, '用户名已被使用，或与已有用户名过于相似'],
    emailTaken: [409, '该邮箱已被其他账号使用'],
    changedMeanwhile: [409, '资料刚刚在别处改过，请刷新页面后再试'],
    mobileTaken: [409, '该手机号已被其他账号使用'],
    noDefaultGroup: [500, '网站没有默认用户组，请联系管理员'],
    groupUnknown: [400, '所选用户组不存在'],
    rootKept: [403, '不能修改或删除站长'],
    ownTrust: [403, '不能信任自己，请让别的审核员来决定'],
    rootUnpunishable: [403, '站长不受处罚，请把他从名单里去掉'],
    rootGroupKept: [403, '站长必须留在超级管理员用户组里，请先把网站移交给别人'],
    rootAlready: [400, '对方已经是站长'],
    heirNotAdministrator: [400, '网站只能移交给超级管理员，请先把对方加入这个用户组'],
    heirDisabled: [400, '对方的账号已被禁用，不能接任站长'],
    hasContent: [400, '用户名下有文档或文章，请先处理后再删除'],
    deleted: [400, '该账号已注销，不能再修改'],
    identityUnreadable: [
      500,
      '保存时用的是另一个密钥，无法解密。请把原来的 secret.key 放回数据目录，或重新填写真实姓名和身份证号',
    ],
    realnameWrong: [400, '请输入真实姓名：2 到 20 个汉字或字母，可以带间隔号'],
    identityWrong: [
      400,
      '请输入正确的 18 位身份证号。港澳台居民居住证、外国人永久居留身份证的号码也可以；护照等其他证件不用填写',
    ],
    uploadDenied: [403, '您所在的用户组没有上传文档的权限'],
    tooManyViews: [400, (limit: number) => `最多保存 ${limit} 个视图，请先删除不用的`],
    publishDenied: [403, '您所在的用户组没有发布文章的权限'],
    codeWrong: [400, '验证码不正确或已过期'],
    codeTooSoon: [400, (seconds: number) => `验证码发送过于频繁，请 ${seconds} 秒后再试`],
    codeNotNeeded: [400, '网站未开启邮箱验证'],
    codeTooOften: [429, '今天给这个邮箱发送的验证码已达上限，请明天再试'],
    emailLoginOff: [400, '网站未开启邮箱验证码登录'],
    mobileUnknown: [404, '这个手机号还没有注册，请先注册'],
    mobileRegistered: [409, '这个手机号已经注册，请直接登录'],
    mobileBound: [409, '这个手机号绑定着另一个账号，请确认是否改绑到现在的账号'],
    mobileIsOnlyWay: [409, '这个手机号是另一个账号唯一的登录方式，请先登录那个账号，改用其他方式之后再绑定'],
    mobileSame: [400, '现在绑定的就是这个手机号'],
    mobileUnbound: [400, '还没有绑定手机号'],
    oldMobileCodeWrong: [400, '原手机号的验证码不正确或已过期'],
    lastWayIn: [400, '这是您唯一的登录方式，请先设置密码或绑定其他登录方式'],
    resetLinkWrong: [400, '重置链接无效或已过期，请重新申请'],
  }),
  spider: reasons('spider', {
    off: [400, '采集没有启用，请先在“采集设置”里打开'],
    sourceNotFound: [404, '采集源不存在，可能已被删除'],
    urlNotFound: [404, '采集链接不存在，可能已被删除'],
    documentNotFound: [404, '采集文档不存在，可能已被删除'],
    documentPublished: [409, '这份文档已经发布，请到文档管理里修改'],
    ruleWrong: [400, (problem: string) => problem],
    addressWrong: [400, '请填写 http:// 或 https:// 开头的网址'],
    noAddresses: [400, '没有可以采集的网址，请检查后重新填写'],
    tooManyAddresses: [400, (max: number) => `一次最多填写 ${max} 个网址`],
  }),
  sms: reasons('sms', {
    off: [400, '网站没有启用短信'],
    noTemplate: [400, (scene: string) => `没有填写${scene}的短信模板`],
    tooSoon: [429, (seconds: number) => `短信发送过于频繁，请 ${seconds} 秒后再试`],
    tooManyToNumber: [429, '今天给这个手机号发送的短信已达上限，请明天再试，或换一种方式'],
    tooManyFromAddress: [429, '今天从您的网络发送的短信已达上限，请明天再试，或换一种方式'],
    tooManyToday: [503, '今天的短信已经发完，请明天再试，或换一种方式'],
    failed: [503, '短信没有发送成功，请稍后再试，或换一种方式'],
    testFailed: [400, (reason: string) => `短信没有发送成功：${reason}`],
    testUnanswered: [400, (reason: string) => `不知道短信有没有发出：${reason}`],
  }),
  oauth: reasons('oauth', {
    off: [400, '网站没有开通这种登录方式，请换一种'],
    noDomain: [400, '网站没有设置域名，暂时不能用第三方账号登录，请联系管理员'],
    stateWrong: [400, '这次登录已经过期，或不是在这个浏览器里开始的，请重新登录'],
    codeStale: [400, '授权已经失效，请重新登录'],
    providerFailed: [503, '暂时不能用这种方式登录，请稍后再试，或换一种方式'],
    ticketWrong: [400, '等待的时间太长，请重新用第三方账号登录'],
    boundToOther: [409, '绑定失败：这个账号已经绑定了本站的另一个用户，请先在那里解除绑定'],
    boundAlready: [409, (title: string) => `绑定失败：您已经绑定了另一个${title}账号，请先解除绑定`],
    notBound: [404, '没有绑定这种账号，请刷新页面'],
    lastWayIn: [403, '这是您唯一的登录方式，请先设置密码或验证邮箱，再解除绑定'],
    scanOver: [400, '二维码已经过期或用过了，请刷新网页上的二维码'],
    emailNeeded: [400, '请输入邮箱'],
    phoneKept: [409, '账号已经有手机号，没有改动'],
    phoneForeign: [400, '只支持中国大陆的手机号'],
  }),
  privacy: reasons('privacy', {
    exportRunning: [409, '您的数据正在导出，请等它完成'],
    exportTooSoon: [429, (time: string) => `每天可以导出一次，${time} 之后可以再次导出`],
    exportGone: [404, '这份导出已经过期，请在“账号安全”里重新导出'],
    staffKept: [403, '您是网站的管理人员，不能注销账号。请先请站长把您移出管理人员的用户组'],
    ownerKept: [403, '您是站长，不能注销账号。请先把网站移交给别人'],
    deletionRequested: [409, '您已经申请注销账号，请等待，或先取消'],
    noDeletion: [404, '没有可以取消的注销申请'],
    passwordNeeded: [400, '您的账号还没有密码。请先用“找回密码”设置一个，再来注销'],
  }),
  captcha: reasons('captcha', {
    needed: [400, '请输入验证码'],
    wrong: [400, '验证码不正确或已过期，请重新输入'],
  }),
  groups: reasons('groups', {
    notFound: [404, '用户组不存在'],
    titleTaken: [409, '用户组名称已存在'],
    defaultNeeded: [400, '必须保留一个默认用户组'],
    defaultKept: [400, '不能删除默认用户组'],
    hasUsers: [400, '用户组内还有用户，不能删除'],
    beyondOwn: [403, '不能授予自己没有的权限'],
    administratorsOnly: [403, '超级管理员用户组和其中的用户，只能由这个组的成员修改'],
    defaultHoldsNothing: [400, '默认用户组不能有管理权限，否则每个新用户都会得到它们；请为管理人员另建用户组'],
    administratorsKept: [403, '超级管理员用户组不能删除'],
    administratorsHoldAll: [400, '超级管理员总是拥有全部权限，不用设置；权限少一些的管理人员，请另建用户组'],
    administratorsNotDefault: [400, '不能把超级管理员设为默认用户组，否则每个新用户都会成为管理员'],
  }),
  permissions: reasons('permissions', { notFound: [404, '权限不存在'] }),
  punishments: reasons('punishments', {
    ownKept: [403, '不能处理对自己的处罚'],
    notFound: [404, '处罚记录不存在'],
    active: [403, (text: string) => text],
  }),
  backups: reasons('backups', {
    running: [409, '有一份备份正在进行，请等它完成'],
    notFound: [404, '这份备份不在了，或者链接已过期，请在“备份设置”里重新下载'],
    elsewhere: [409, (place: string) => `文件不在这台服务器上，请到那一台上取：${place}`],
  }),
  settings: reasons('settings', {
    unknown: [400, (name: string) => `没有名为 ${name} 的设置项`],
    wrongValue: [400, (message: string) => message],
    readOnly: [403, '该设置不能在此修改'],
    passwordAgain: [400, '更换邮件服务器、端口、用户名或 TLS 时，请重新输入邮箱密码'],
    secretAgain: [400, (label: string) => `更换接口地址时，请重新输入${label}`],
  }),
  mail: reasons('mail', {
    noDomain: [400, '网站没有设置域名，无法生成重置链接，请联系管理员'],
    off: [400, '网站没有启用邮件服务，请联系管理员'],
    noServer: [400, '请填写 SMTP 服务器的地址，如 smtp.example.com'],
    failed: [400, (why: string) => `邮件发送失败：${why}`],
    notAgain: [400, '所选邮件里的验证码或链接已经过期，或者没有失败，不能重新发送；请让对方重新获取'],
    underWay: [400, '邮件还在等待发送，有结果之后才能删除'],
  }),
  invitations: reasons('invitations', {
    notValid: [404, '这个邀请已经用过、撤回或过期了，请让邀请您的人再发一个'],
    endsBefore: [400, '在组里的期限须晚于现在'],
  }),
  notifications: reasons('notifications', {
    notFound: [404, '通知不存在，可能已经删除'],
    nothingChosen: [400, '请选择要标为已读的通知'],
    notAnswerable: [400, '这条通知不能再提异议：每件事只能提一次，请等管理人员答复'],
    badToken: [400, '退订链接不完整或已失效，请登录后在“我的通知”里更改邮件设置'],
  }),
  uploads: reasons('uploads', {
    noFile: [400, '请选择要上传的文件'],
    empty: [400, '文件是空的，请检查后重新选择'],
    nameNeeded: [400, '文件没有名字'],
    extDenied: [400, (ext: string) => `不支持上传 ${ext || '没有扩展名的'} 文件`],
    mismatch: [400, '文件内容与扩展名不符，请检查文件'],
    tooLarge: [413, (limit: string) => `文件过大，最大 ${limit}`],
    banned: [403, '该文件已被禁止上传'],
    hashMismatch: [400, '文件在传输中损坏，请重新上传'],
    quotaCount: [429, (limit: number) => `今天的上传数量已达上限（${limit} 个），请明天再来`],
    quotaSize: [429, (limit: string) => `今天的上传体积已达上限（${limit}），请明天再来`],
    quotaAvatars: [429, (limit: number) => `头像今天已经换了 ${limit} 次，请明天再来`],
    notFound: [404, '上传任务不存在或已过期，请重新上传'],
    unfinished: [409, '文件还没有传完'],
    wrongOffset: [409, '上传进度与服务器不一致，请继续上传'],
    challengeWrong: [400, '校验已过期，请重新上传'],
    notImage: [400, '请上传 JPG、PNG、GIF、WebP 或 BMP 图片'],
    imageTooLarge: [400, '图片尺寸过大'],
    notVideo: [400, '请上传 MP4 或 WebM 视频'],
    notProof: [400, '请上传图片（JPG、PNG、GIF、WebP、BMP）或 PDF 文件'],
    diskFull: [507, '服务器空间不足，请稍后再试或联系管理员'],
  }),
  attachments: reasons('attachments', {
    notFound: [404, '附件不存在'],
    managed: [400, '附件由系统管理，不能直接删除；可以停用它，禁止再次上传'],
  }),
  documents: reasons('documents', {
    notFound: [404, '文档不存在或已被删除'],
    gone: [404, '文档已被删除'],
    noMiniProgram: [404, '网站没有小程序'],
    codePictureFailed: [503, '暂时不能生成小程序码，请稍后再试'],
    noFiles: [400, '没有可以发布的文件，请先上传'],
    filesUnusable: [400, '有文件不是您上传的，或已经发布过，请重新上传'],
    sameFile: [400, '新文件与文档现在的文件完全相同，不需要替换'],
    replacedInReview: [409, (why: string) => why],
    replacementUnknown: [404, '这次替换不存在'],
    replacementOver: [409, (status: string) => `这次替换的状态已是“${status}”，请刷新后再看`],
    crawledFileGone: [400, '采集的文件已经发布或已被清除，请重新下载'],
    categoryNeeded: [400, '请选择分类'],
    categoryUnknown: [400, '所选分类不存在'],
    languageUnknown: [400, '所选语言不存在'],
    othersKept: [403, '只能处理自己的文档'],
    statusDenied: [
      400,
      ({ status, why }: { status: string; why?: string }) => why ?? `文档当前状态为“${status}”，不能进行此操作`,
    ],
    scoreTwice: [403, '您已经评过分了'],
    ownScore: [403, '不能给自己的文档评分'],
    notDownloadable: [403, '文档已被禁用，暂时不能下载'],
    previewOnly: [403, '作者只允许在线阅读，这份文档不能下载'],
    groupsNeeded: [400, '请选择可以看到文档的用户组'],
    groupUnknown: [400, '所选用户组不存在，或您不能使用'],
    guestPays: [403, '付费文档需要登录后下载'],
    creditShort: [403, (text: string) => text],
    priceChanged: [409, (price: string) => `文档的价格刚刚变为 ${price}，没有扣除，请确认后再下载`],
    timesPerDay: [
      403,
      (limit: number) => (limit === 0 ? noDownloads : `今天的下载次数已用完（每天 ${limit} 次），请明天再来`),
    ],
    timesPerAddress: [403, (limit: number) => (limit === 0 ? noDownloads : '您的网络今天下载次数过多，请明天再来')],
    fileMissing: [404, '原文件不存在，请联系管理员'],
    linkExpired: [400, '下载链接已失效，请回到文档页面重新下载'],
    pageMissing: [404, '页面不存在'],
    beyondPreview: [403, '该页不在预览范围内，请下载后查看'],
    notReady: [404, '文档还在转换中，请稍候'],
    unconvertible: [404, '文件无法转换，不能在线预览，请下载后查看'],
  }),
  shares: reasons('shares', {
    notFound: [404, '链接不存在，请检查是否复制完整'],
    ended: [404, '链接已失效，请向分享的人索取新的链接'],
    closed: [404, '这份文档现在不能凭链接查看，请联系分享的人'],
    passwordNeeded: [403, '请输入分享的人给您的密码'],
    passwordWrong: [403, '密码不正确'],
    usedUp: [403, '这个链接的下载次数已用完，请联系分享的人'],
    notByLink: [400, '请先把文档的可见范围改为“凭链接”并保存'],
    tooMany: [400, (limit: number) => `一份文档最多有 ${limit} 个有效链接，请先使不用的链接失效`],
    endPast: [400, '截止时间必须晚于现在'],
  }),
  review: reasons('review', {
    decided: [409, (status: string) => `别人已经处理过了，现在的状态是“${status}”`],
    replaced: [409, '文件在您查看之后换成了新的，没有改变文档的状态；请刷新，看过新文件再决定'],
  }),
  categories: reasons('categories', {
    notFound: [404, '分类不存在'],
    titleTaken: [409, '同级下已有同名分类'],
    parentUnknown: [400, '上级分类不存在'],
    parentInside: [400, '不能把分类移到自己或自己的下级之下'],
    inUse: [400, '分类下还有内容（包括等待审核的），不能删除'],
    tooDeep: [400, '分类最多五级'],
  }),
  articles: reasons('articles', {
    notFound: [404, '文章不存在或已被删除'],
    gone: [404, '文章已被删除'],
    identifierTaken: [409, '文章标识已被使用'],
    titleNeeded: [400, '请输入标题，不能只有看不见的字符'],
    contentNeeded: [400, '请输入正文'],
    tooLarge: [400, (limit: number) => `正文最多 ${limit} KB，请缩短，或分成几篇文章`],
    tooManyFiles: [400, (limit: number) => `一篇文章最多有 ${limit} 个图片和视频，请分成几篇文章`],
    quotaCount: [429, (limit: number) => `今天发布的文章已达上限（${limit} 篇），请明天再来`],
    quotaSize: [429, (limit: string) => `今天写下的内容已达上限（${limit}），请先在本地保存，明天再来`],
    categoryNeeded: [400, '请选择分类'],
    categoryUnknown: [400, '所选分类不存在'],
    othersKept: [403, '只能处理自己的文章'],
    draftNotFound: [404, '草稿不存在，可能已经发布或删除'],
    tooManyDrafts: [400, (limit: number) => `草稿最多 ${limit} 份，请先发布或删除一些`],
    versionNotFound: [404, '这个历史版本不存在，较早的版本可能已被清理'],
  }),
  comments: reasons('comments', {
    notFound: [404, '评论不存在或已被删除'],
    denied: [403, '您所在的用户组没有评论的权限'],
    notHere: [403, '网站自己的页面不接受评论'],
    tooSoon: [403, (seconds: number) => `评论过于频繁，请 ${seconds} 秒后再试`],
    parentGone: [404, '要回复的评论不存在或已被删除'],
    othersKept: [403, '只能删除自己的评论'],
  }),
  favorites: reasons('favorites', { twice: [409, '您已经收藏过了'] }),
  reading: reasons('reading', {
    notFound: [404, '它已经被删除，请刷新页面'],
    noSuchPage: [400, '文档没有这一页，或者您还不能阅读它'],
    nothingToExport: [404, '还没有可以导出的笔记'],
    tooManyInDocument: [400, (limit: number) => `一份文档里最多 ${limit} 条，请先删除一些`],
    tooMany: [400, (limit: number) => `您已经有 ${limit} 条了，请先删除一些不用的`],
  }),
  collections: reasons('collections', {
    notFound: [404, '文集不存在，或者作者没有公开它'],
    itemNotFound: [404, '这项内容已经不在文集里，请刷新后再试'],
    titleNeeded: [400, '请输入文集的标题'],
    tooMany: [409, (max: number) => `每人最多有 ${max} 个文集，请先删除不用的文集`],
    full: [409, (max: number) => `一个文集最多收录 ${max} 项，请另建一个文集`],
    othersKept: [403, '只能处理自己的文集'],
  }),
  follows: reasons('follows', {
    own: [403, '不能关注自己'],
    ownCollection: [403, '这是您自己的文集，不需要关注'],
    notFound: [404, '要关注的作者、分类或文集不存在，或者没有公开'],
    tooMany: [409, (max: number) => `最多关注 ${max} 个，请先取消一些关注`],
  }),
  reports: reasons('reports', {
    twice: [409, '您已经举报过这份文档，我们会尽快处理'],
    own: [403, '不能举报自己的文档'],
    notFound: [404, '举报记录不存在'],
    contentNeeded: [400, '请说明情况，方便管理人员核实'],
    contactNeeded: [400, '请留下联系方式，方便我们核实版权'],
    proofsOnlyForCopyright: [400, '只有侵犯版权的举报可以附证明文件'],
    proofsUnusable: [400, '有证明文件不是您上传的，或已经用过，请重新上传'],
    mixed: [400, '一次只能处理同一份文档的举报'],
    handledAlready: [409, '这些举报刚刚已经被处理，请刷新页面'],
    proofMissing: [404, '证明文件不存在或已被删除'],
  }),
  orders: reasons('orders', {
    notFound: [404, '订单不存在'],
    notPending: [409, '订单已经支付、关闭或过期，请刷新页面'],
    stillPending: [400, '订单还没有支付，请先关闭'],
    paidKept: [400, '支付过的订单是账目，不能删除'],
    attemptKept: [400, '这个订单一周内有人去付过款，可能还会到账，请过几天再删除'],
    tooManyPending: [429, '未支付的订单太多了，请先支付或关闭一些'],
    methodDenied: [400, '不能用这种方式支付，请换一种'],
    alreadyBought: [409, '您已经有这份文档了，可以直接下载，没有扣款'],
    buyerHasIt: [409, '买家已经有这份文档，不能再发放一次，请把这笔钱退给买家'],
    productGone: [409, '要买的东西已经不存在，没有扣款'],
    noSuchCard: [400, '没有这种 VIP 卡，或网站没有开通 VIP'],
    quantityNeeded: [400, '请输入充值的数量'],
    noDomain: [400, '网站没有设置域名，暂时不能在线支付，请联系管理员'],
    providerFailed: [503, '暂时不能用这种方式支付，请稍后再试，或换一种方式'],
    wechatCodeStale: [409, '微信的授权已经失效，请重新支付'],
    watchedEnough: [403, '今天看广告的次数用完了，明天再来吧'],
    watchedTooShort: [400, (seconds: number) => `还要再看 ${seconds} 秒`],
    notWatched: [400, '没有看完广告，请重新开始'],
    pictureUnusable: [400, '付款凭证的图片不能用，请重新上传'],
    notOffline: [400, '只能确认银行卡、现金或其他线下方式的付款'],
    notClaimed: [409, '买家没有说明付款，或已经处理过，请刷新页面'],
    notRefundable: [400, '这个订单没有收到可以退的款'],
    refundTooMuch: [400, '数额超过了这个订单还可以退款或撤回的'],
    withdrawnWhole: [400, '这个订单没有收钱，只能整个撤回'],
    refundRunning: [409, '这个订单有一笔退款还在处理，请等它有了结果'],
    testFailed: [400, (why: string) => why],
    billFailed: [503, (why: string) => `账单没有读到。${why}`],
  }),
  codes: reasons('codes', {
    off: [400, '网站没有开通下载码'],
    mistyped: [400, '下载码输错了，请对照检查后重新输入'],
    unknown: [400, '没有这个下载码，请检查是否输错'],
    used: [409, '这个下载码已经用过了'],
    voided: [400, '这个下载码已经作废，请联系发放的人'],
    notYet: [400, (from: string) => `这个下载码从 ${from} 起才能使用`],
    expired: [400, (until: string) => `这个下载码已于 ${until} 过期`],
    otherDocument: [400, '这个下载码不能用于这篇文档'],
    ownKept: [403, '这个下载码是您或同组的管理人员生成的，您不能使用'],
    ownDocument: [403, '这个下载码不能用于生成它的管理人员自己的文档，请换一份文档'],
    tooExpensive: [400, (price: string) => `这个下载码只能用于不超过 ${price} 的文档`],
    forCredits: [400, (name: string) => `这是换取${name}的下载码，请到“个人中心”的“${name}明细”里使用`],
    forDocuments: [400, '这是下载文档的下载码，请在购买文档时使用'],
    creditsNeeded: [400, (name: string) => `请输入每个下载码值多少${name}`],
    documentsNeeded: [400, '请输入文档的编号'],
    documentUnknown: [400, (ids: string) => `没有编号为 ${ids} 的文档`],
    voidedAlready: [404, '没有这批下载码，或已经作废，请刷新页面'],
    usedKept: [400, '有下载码用过，是账目，不能删除；可以作废'],
  }),
  vip: reasons('vip', {
    notFound: [404, 'VIP 卡不存在'],
    over: [409, '这张 VIP 卡已经结束，请刷新页面'],
    cardNeeded: [403, '只有 VIP 会员可以免费下载，请先开通 VIP'],
    notMarked: [400, '这份文档不是 VIP 文档，请直接下载'],
    usedUp: [403, '您的 VIP 卡可以免费下载的文档已经用完'],
  }),
  credits: reasons('credits', {
    signedAlready: [409, '您今天已经签到了，明天再来吧'],
    notSigned: [404, '您今天还没有签到'],
    noChange: [400, '请输入要增减的数量'],
    balanceShort: [400, (balance: number) => `余额只有 ${balance}，不能扣除更多`],
  }),
  outlays: reasons('outlays', {
    waiting: [
      409,
      (ceiling: string) =>
        `超过了您所在的用户组每天 ${ceiling} 元的限额，还没有办理：已经提交审批，批准后会通知您，请到“大额审批”里办理`,
    ],
    notFound: [404, '没有这个申请'],
    notWaiting: [409, '这个申请已经处理过了，请刷新页面'],
    notApproved: [409, '这个申请还没有批准，或者已经办理，请刷新页面'],
    own: [403, '不能批准自己的申请，请让站长或其他管理人员批准'],
    lapsed: [409, '批准已经超过 7 天，请重新申请'],
    reasonNeeded: [400, '请写明不批准的原因，申请人会看到'],
  }),
  releases: reasons('releases', {
    off: [400, '已选择不检查新版本，请先选择来源'],
    unreachable: [503, (why: string) => `${why}，请检查服务器的网络，或换一个来源`],
  }),
  languages: reasons('languages', { codeTaken: [409, '语言代码已存在'] }),
  navigations: reasons('navigations', {
    parentUnknown: [400, '上级导航不存在'],
    tooDeep: [400, '导航最多两级：上级须是一级导航，有下级的导航不能再放到别的导航下'],
  }),
  announcements: reasons('announcements', {
    notFound: [404, '公告不存在，或不对您开放'],
    groupsNeeded: [400, '请选择用户组'],
    groupUnknown: [400, '所选用户组不存在'],
  }),
  topics: reasons('topics', {
    notFound: [404, '专题不存在，或还没有发布'],
    entryGone: [400, '有些文档或文章已被删除，请从专题里移除后再保存'],
  }),
  schedule: reasons('schedule', { backward: [400, '结束时间要晚于开始时间，请重新选择'] }),
  manualOrder: reasons('manualOrder', {
    mixed: [400, '只能在同一级、同一类里调整顺序'],
    gone: [404, '有些条目已被删除，请刷新页面后再调整顺序'],
  }),
  records: reasons('records', {
    notFound: [404, '记录不存在或已被删除'],
    exists: [409, '相同的记录已存在'],
  }),
}

function reasons<T extends Record<string, [number, Message]>>(
  area: string,
  table: T,
): { [K in keyof T]: Thrower<T[K][1]> } {
  const make = ([name, [status, message]]: [string, [number, Message]]) => [
    name,
    (value: never) => new AppError(`${area}.${name}`, status, typeof message === 'string' ? message : message(value)),
  ]
  return Object.fromEntries(Object.entries(table).map(make))
}
