interface Hint {
  text: string
  link?: { page: string; label: string }
}

/** Explanations at the top of settings pages. */
export const hints: Record<string, Hint | undefined> = {
  email: {
    text: '先填写，再点“发送测试邮件”：用填写的值发送，不需要先保存；发送失败时会说明原因。',
    link: { page: '/admin/user/mail', label: '查看邮件记录' },
  },
  mail_text: {
    text: '网站发出的每一种邮件。空行分段；花括号里的占位符在发送时换成实际的内容。',
    link: { page: '/admin/config/email', label: '设置发件服务器' },
  },
  sms: {
    text: '先填写，再点“发送测试短信”：用填写的值真实发送一条，会产生费用，不需要先保存。',
    link: { page: '/admin/user/sms', label: '查看短信记录' },
  },
  pay: {
    text: '密钥填写后不再显示。先填写，再点“测试”：用填写的值试用支付平台，不需要先保存，也不会收款。',
    link: { page: '/admin/order', label: '订单管理' },
  },
  vip: {
    text: '价格按元填写，买家支付的就是这个数，一分不差。只有用余额支付时，不足 1 个的按 1 个算。',
    link: { page: '/admin/user/vip', label: 'VIP 管理' },
  },
  oauth: { text: '在各个平台登记下面的回调地址，再填写应用的编号和密钥。密钥填写后不再显示。' },
  miniprogram: { text: '在微信公众平台（mp.weixin.qq.com）的“开发管理 → 开发设置”里登记下面的服务器域名。' },
  security: { text: '关闭网站后，只有管理人员可以登录和访问。' },
}

/** Where the values of a section are found, by the setting at which it begins. */
export const sectionHelp: Record<string, string | undefined> = {
  'pay.enable_wechat':
    '在微信支付商户平台（pay.weixin.qq.com）：商户号在“账户中心 → 商户信息”；证书序列号、私钥、APIv3 密钥和微信支付公钥都在“账户中心 → API 安全”；AppID 是公众平台（mp.weixin.qq.com）里服务号的，要在“产品中心 → AppID 账号管理”与商户号关联。还要开通 Native 支付、H5 支付和 JSAPI 支付，并填写网站的域名。',
  'pay.enable_alipay':
    '在支付宝开放平台（open.alipay.com）：“控制台 → 网页/移动应用”里创建应用，应用 ID 在应用详情；“开发设置 → 接口加签方式”里上传应用公钥，得到支付宝公钥，或下载三个证书；PID 在“账号中心”。要签约电脑网站支付和手机网站支付，扫码付款要签约当面付。',
  'pay.enable_third':
    '在第三方支付的商户后台：易支付的商户 ID、密钥和接口地址在“API 信息”，V2 的公钥和私钥也在那里；虎皮椒的 appid 和 appsecret 在“支付渠道管理”。',
  'sms.enable':
    '阿里云、腾讯云、百度智能云：访问密钥在“访问控制”里创建，只授予发送短信的权限。华为云：APP_Key、APP_Secret、接入地址和签名通道号在“消息&短信”的应用管理和签名管理里，接入地址填在“高级”的接口地址。短信签名要先在服务商那里完成企业实名报备。',
  'sms.http_method':
    '只有选择“浩信（自定义 HTTP 接口）”时使用。它的协议没有公开，请按服务商给您的文档填写：接口地址在“高级”，地址和内容里都可以用占位符，签名用 {md5:…} 或 {hmacsha256:…}（密钥是访问密钥）；已填写的成功条件都满足才算发送成功。',
  'oauth.enable_wechat':
    '扫码登录用微信开放平台（open.weixin.qq.com）的网站应用；在微信里打开网站时，用公众平台里服务号的“网页授权”。两者和小程序绑定到同一个开放平台账号，会员才是同一个人。',
  'oauth.enable_qq': '在 QQ 互联（connect.qq.com）创建网站应用，回调地址要与上面的完全一致。',
  'oauth.enable_weibo': '在微博开放平台（open.weibo.com）创建网页应用，“应用信息 → 高级信息”里填写授权回调页。',
  'oauth.enable_github': '在 GitHub 的“Settings → Developer settings → OAuth Apps”里创建。',
  'oauth.enable_gitee': '在 Gitee 的“设置 → 第三方应用”里创建，勾选 user_info 和 emails。',
  'oauth.enable_google': '在 Google Cloud 的“API 和服务 → 凭据”里创建 OAuth 客户端。',
  'oauth.enable_oidc': '对方要支持授权码流程和 PKCE（S256）。登录时会核对签发者、受众、随机数、有效期和签名。',
  'miniprogram.enable_login': '扫码登录要求小程序已经发布，并有接收 scene 的页面；路径在“高级”里填写。',
  'pay.enable_bank_card': '买家看到这里的说明，在站外付款后填写说明；管理人员在订单管理里核对、确认。',
}
