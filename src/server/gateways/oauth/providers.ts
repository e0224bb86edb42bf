import type { OauthType } from '#shared/enums.ts'
import type { Settings } from '#shared/settings.ts'
import { gitee } from './gitee.ts'
import { github } from './github.ts'
import type { OauthProvider } from './oauth-provider.ts'
import { oidc } from './oidc.ts'
import { qq } from './qq.ts'
import { wechat } from './wechat.ts'
import { weibo } from './weibo.ts'

type Oauth = Settings['oauth']

interface Declaration {
  title(settings: Settings): string
  /** A picture of the owner's; clients draw the others. */
  icon?(settings: Settings): string
  /** Switched on, with all that it needs. */
  isOn(settings: Settings): boolean
  /** Absent where no browser is sent anywhere: a mini program brings its code. */
  open?(oauth: Oauth): OauthProvider
}

const googleIssuer = 'https://accounts.google.com'

/** In the order in which they are shown. */
const declarations: Record<OauthType, Declaration> = {
  wechat: {
    title: () => '微信',
    isOn: ({ oauth }) => oauth.enable_wechat && isSet(oauth.wechat_app_id, oauth.wechat_secret),
    open: (oauth) =>
      wechat({
        appId: oauth.wechat_app_id.trim(),
        secret: oauth.wechat_secret.trim(),
        gateway: oauth.wechat_api_gateway,
        openGateway: oauth.wechat_gateway,
        kind: 'site',
      }),
  },
  wechatoa: {
    title: () => '微信',
    isOn: ({ oauth }) => oauth.enable_wechatoa && isSet(oauth.wechatoa_app_id, oauth.wechatoa_secret),
    open: (oauth) =>
      wechat({
        appId: oauth.wechatoa_app_id.trim(),
        secret: oauth.wechatoa_secret.trim(),
        gateway: oauth.wechat_api_gateway,
        openGateway: oauth.wechat_gateway,
        kind: 'profile',
      }),
  },
  wechatmp: {
    title: () => '微信小程序',
    isOn: ({ miniprogram }) => miniprogram.enable_login && isSet(miniprogram.app_id, miniprogram.app_secret),
  },
  qq: {
    title: () => 'QQ',
    isOn: ({ oauth }) => oauth.enable_qq && isSet(oauth.qq_app_id, oauth.qq_secret),
    open: (oauth) => qq(toApp(oauth.qq_app_id, oauth.qq_secret), oauth.qq_gateway),
  },
  weibo: {
    title: () => '微博',
    isOn: ({ oauth }) => oauth.enable_weibo && isSet(oauth.weibo_app_id, oauth.weibo_secret),
    open: (oauth) => weibo(toApp(oauth.weibo_app_id, oauth.weibo_secret), oauth.weibo_gateway),
  },
  github: {
    title: () => 'GitHub',
    isOn: ({ oauth }) => oauth.enable_github && isSet(oauth.github_client_id, oauth.github_secret),
    open: (oauth) =>
      github(toApp(oauth.github_client_id, oauth.github_secret), {
        gateway: oauth.github_gateway,
        apiGateway: oauth.github_api_gateway,
      }),
  },
  gitee: {
    title: () => 'Gitee',
    isOn: ({ oauth }) => oauth.enable_gitee && isSet(oauth.gitee_client_id, oauth.gitee_secret),
    open: (oauth) => gitee(toApp(oauth.gitee_client_id, oauth.gitee_secret), oauth.gitee_gateway),
  },
  google: {
    title: () => 'Google',
    isOn: ({ oauth }) => oauth.enable_google && isSet(oauth.google_client_id, oauth.google_secret),
    open: (oauth) =>
      oidc({
        ...toApp(oauth.google_client_id, oauth.google_secret),
        issuer: oauth.google_gateway.trim() || googleIssuer,
        scopes: 'profile email',
        allowsPrivate: oauth.google_gateway.trim() !== '',
      }),
  },
  oidc: {
    title: ({ oauth }) => oauth.oidc_title || '统一登录',
    icon: ({ oauth }) => oauth.oidc_icon,
    isOn: ({ oauth }) => oauth.enable_oidc && isSet(oauth.oidc_issuer, oauth.oidc_client_id, oauth.oidc_secret),
    open: (oauth) =>
      oidc({
        ...toApp(oauth.oidc_client_id, oauth.oidc_secret),
        issuer: oauth.oidc_issuer,
        scopes: oauth.oidc_scopes,
        allowsPrivate: oauth.oidc_allow_private,
      }),
  },
}

/** Those by which a member can log in now. */
export function enabledOauthTypes(settings: Settings): OauthType[] {
  const all = Object.keys(declarations) as OauthType[]
  return all.filter((type) => declarations[type].isOn(settings))
}

export function oauthTitle(settings: Settings, type: OauthType): string {
  return declarations[type].title(settings)
}

export function oauthIcon(settings: Settings, type: OauthType): string {
  return declarations[type].icon?.(settings) ?? ''
}

/** Undefined unless it is on and a browser can be sent there. */
export function openOauthProvider(settings: Settings, type: OauthType): OauthProvider | undefined {
  const { isOn, open } = declarations[type]
  return isOn(settings) ? open?.(settings.oauth) : undefined
}

export function hasRedirect(type: OauthType): boolean {
  return declarations[type].open !== undefined
}

/** One person has several names at WeChat: for the site, for the service account and for the mini program. */
const families: readonly (readonly OauthType[])[] = [['wechat', 'wechatoa', 'wechatmp']]

export function familyOf(type: OauthType): readonly OauthType[] {
  return families.find((family) => family.includes(type)) ?? [type]
}

function isSet(...values: string[]): boolean {
  return values.every((value) => value.trim() !== '')
}

function toApp(clientId: string, secret: string) {
  return { clientId: clientId.trim(), secret: secret.trim() }
}
