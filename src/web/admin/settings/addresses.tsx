import { Alert, Typography } from 'antd'
import { Link } from 'react-router'
import type { OauthType } from '#shared/enums.ts'
import styles from '#web/admin/settings/settings.module.css'
import { useSite } from '#web/domain/site.ts'

/** What the owner registers with others, to be copied. */

const providers: readonly [title: string, type: OauthType][] = [
  ['微信扫码', 'wechat'],
  ['微信内', 'wechatoa'],
  ['QQ', 'qq'],
  ['微博', 'weibo'],
  ['GitHub', 'github'],
  ['Gitee', 'gitee'],
  ['Google', 'google'],
  ['OpenID Connect', 'oidc'],
]

/** Where each provider sends the browser back to. WeChat wants the domain alone. */
export function CallbackAddresses() {
  const { domain } = useSite().settings.system
  if (!domain) return <NoDomain />
  return (
    <Addresses
      title="回调地址（微信只填域名）"
      rows={providers.map(([title, type]) => [title, `${domain}/oauth/${type}`])}
    />
  )
}

/** Requests, uploads, downloads and pictures all go to the site's own address. */
export function MiniProgramDomains() {
  const { domain } = useSite().settings.system
  if (!domain) return <NoDomain />
  const kinds = ['request 合法域名', 'uploadFile 合法域名', 'downloadFile 合法域名']
  return <Addresses title="要登记的服务器域名" rows={kinds.map((kind) => [kind, domain])} />
}

function NoDomain() {
  const title = (
    <>
      网站还没有填写域名，没有可以登记的地址。{' '}
      <Link to="/admin/config/system#domain" className={styles.hintLink}>
        填写域名
      </Link>
    </>
  )
  return <Alert type="warning" showIcon title={title} className={styles.hint} />
}

export function Addresses({ title, rows }: { title: string; rows: readonly [title: string, address: string][] }) {
  const all = rows.map(([name, address]) => `${name} ${address}`).join('\n')
  return (
    <section className={styles.section}>
      <Typography.Paragraph strong copyable={{ text: all, tooltips: ['复制全部', '已复制'] }}>
        {title}
      </Typography.Paragraph>
      <ul className={styles.keys}>
        {rows.map(([name, address]) => (
          <li key={name}>
            {name}{' '}
            <Typography.Text code copyable={{ text: address, tooltips: ['复制', '已复制'] }}>
              {address}
            </Typography.Text>
          </li>
        ))}
      </ul>
    </section>
  )
}
