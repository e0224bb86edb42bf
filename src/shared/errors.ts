/** Declared errors: a stable reason, an HTTP status, a sentence in Chinese that says what to do. */

export interface FieldProblem {
  field: string
  message: string
}

export class AppError extends Error {
  readonly reason: string
  readonly status: number
  readonly details: FieldProblem[]

  constructor(reason: string, status: number, message: string, details: FieldProblem[] = []) {
    super(message)
    this.name = 'AppError'
    this.reason = reason
    this.status = status
    this.details = details
  }
}

/** The same error as a caller sees it. Status 0 means that no answer came. */
export class ApiError extends Error {
  readonly status: number
  readonly reason: string
  readonly details: FieldProblem[]

  constructor(given: { status: number; message: string; reason?: string; details?: FieldProblem[] }) {
    super(given.message)
    this.name = 'ApiError'
    this.status = given.status
    this.reason = given.reason ?? ''
    this.details = given.details ?? []
  }
}

/** gRPC's number for each status: clients of this interface know errors by it. */
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
}

type Message = string | ((value: never) => string)
type Thrower<M extends Message> = M extends (value: infer V) => string ? (value: V) => AppError : () => AppError

export const errors = {
  request: reasons('request', {
    invalid: [400, (message: string) => message],
    notJson: [400, '请求内容不是有效的 JSON'],
    notObject: [400, '请求内容必须是 JSON 对象'],
    tooLarge: [413, '请求内容过大'],
    notFound: [404, '接口不存在'],
    tooMany: [429, (seconds: number) => `操作过于频繁，请 ${seconds} 秒后再试`],
    timeout: [503, '服务器处理超时，请稍后重试'],
    internal: [500, (id: string) => `服务器出错了，请稍后重试（编号 ${id}）`],
  }),
  access: reasons('access', {
    loginNeeded: [401, '请先登录'],
    denied: [403, '您没有权限进行此操作'],
    siteClosed: [403, '网站暂时关闭，仅管理员可以访问'],
  }),
  users: reasons('users', {
    notFound: [404, '用户不存在'],
    wrongCredentials: [400, '用户名或密码不正确'],
    slowDown: [429, (seconds: number) => `尝试次数过多，请 ${seconds} 秒后再试`],
    wrongPassword: [400, '原密码不正确'],
    ownPasswordWrong: [400, '您的登录密码不正确'],
    samePassword: [400, '新密码不能与原密码相同'],
    registerClosed: [400, '网站暂未开放注册'],
    siteClosed: [400, '网站已关闭，暂不接受注册'],
    nameLength: [400, '用户名需要 3 到 32 个字符'],
    nameLooksLikeAddress: [400, '用户名不能是邮箱或手机号的样式'],
    nameHasOddCharacters: [400, '用户名只能包含中文、字母、数字、下划线、点和短横线'],
    nameTaken: [409, '用户名已被使用，或与已有用户名过于相似'],
    emailTaken: [409, '该邮箱已被其他账号使用'],
    mobileTaken: [409, '该手机号已被其他账号使用'],
    emailUnknown: [404, '没有使用该邮箱的账号'],
    noDefaultGroup: [500, '网站没有默认用户组，请联系管理员'],
    groupUnknown: [400, '所选用户组不存在'],
    rootKept: [403, '不能修改或删除初始管理员'],
    hasContent: [400, '用户名下有文档或文章，请先处理后再删除'],
    uploadDenied: [403, '您所在的用户组没有上传文档的权限'],
    publishDenied: [403, '您所在的用户组没有发布文章的权限'],
    codeWrong: [400, '邮箱验证码不正确或已过期'],
    codeTooSoon: [400, (seconds: number) => `验证码发送过于频繁，请 ${seconds} 秒后再试`],
    codeNotNeeded: [400, '网站未开启邮箱验证'],
    resetLinkWrong: [400, '重置链接无效或已过期，请重新申请'],
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
  }),
  permissions: reasons('permissions', { notFound: [404, '权限不存在'] }),
  punishments: reasons('punishments', {
    ownKept: [403, '不能处理对自己的处罚'],
    notFound: [404, '处罚记录不存在'],
    active: [403, (text: string) => text],
  }),
  settings: reasons('settings', {
    unknown: [400, (name: string) => `没有名为 ${name} 的设置项`],
    wrongValue: [400, (message: string) => message],
    readOnly: [403, '该设置不能在此修改'],
    passwordAgain: [400, '更换邮件服务器、端口、用户名或 TLS 时，请重新输入邮箱密码'],
  }),
  mail: reasons('mail', {
    noDomain: [500, '网站没有设置域名，无法生成重置链接，请联系管理员'],
    off: [500, '网站没有启用邮件服务，请联系管理员'],
    failed: [500, (why: string) => `邮件发送失败：${why}`],
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
