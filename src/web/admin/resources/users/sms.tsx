import { Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { codeSceneLabels, SmsStatus, smsStatusLabels } from '#shared/enums.ts'
import { toYuanText } from '#shared/prices.ts'
import { catalogue } from '#shared/settings.ts'
import cells from '#web/admin/cells.module.css'
import { dash } from '#web/admin/cells.tsx'
import { customColumn, numberColumn, tagColumn, timeColumn } from '#web/admin/columns.tsx'
import { CardContent } from '#web/admin/dashboard/dashboard-card.tsx'
import { dateRange, select } from '#web/admin/fields.tsx'
import { resource, type SummaryProps } from '#web/admin/resource.ts'
import styles from '#web/admin/resources/users/users.module.css'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

const { list, today, delete: remove } = contract.sms

type Sms = Reply<typeof list>['sms'][number]

const statusColors: Record<SmsStatus, string> = {
  [SmsStatus.Sending]: 'gold',
  [SmsStatus.Sent]: 'green',
  [SmsStatus.Failed]: 'red',
}

const providers: Record<string, string | undefined> = catalogue.sms.fields.provider.options ?? {}

export const sms = resource({
  title: '短信',
  api: { list, delete: remove },
  hint: '记录保留 180 天，不含验证码。“发送中”表示服务商没有回答，可能已经发出；短信不会自动重发。',
  emptyText: '还没有发送过短信',
  summary: Today,
  columns: [
    { key: 'id', width: 72, hiddenByDefault: true },
    customColumn('mobile', '手机号', ({ mobile }: Sms) => mobile, { width: 128 }),
    tagColumn('scene', codeSceneLabels, { label: '用途', width: 112 }),
    tagColumn('status', smsStatusLabels, { label: '状态', width: 96, colors: statusColors }),
    customColumn('provider', '服务商', ({ provider }: Sms) => providers[provider] ?? provider, { width: 120 }),
    customColumn('reason', '失败原因', ({ reason }: Sms) => <Reason text={reason} />, { width: 240 }),
    numberColumn('segments', { label: '计费条数', sort: true }),
    customColumn('ip', 'IP 地址', ({ ip }: Sms) => ip || dash, { width: 136, hiddenByDefault: true }),
    timeColumn('created_at', { label: '发送时间', sort: true }),
  ],
  filters: [
    'wd',
    select('status', '状态', smsStatusLabels),
    select('scene', '用途', codeSceneLabels),
    dateRange('created_at', '发送时间'),
  ],
  deleteWarning: '只删除记录，已经发出的短信不受影响。',
  rowName: ({ mobile }) => `发给 ${mobile} 的短信`,
})

/** What was sent since midnight, and what it costs. */
function Today({ reply }: SummaryProps<Reply<typeof list>>) {
  const query = useQuery(reply.total, () => api(today))
  return (
    <div className={styles.today}>
      <CardContent query={query} rows={1}>
        {({ total, failed, segments, cost, limit }) => (
          <Typography.Text>
            今天发送 <strong>{total}</strong> 条，失败 <strong>{failed}</strong> 条，计费 <strong>{segments}</strong>{' '}
            条，约 <strong>¥{toYuanText(cost, 'li')}</strong>
            <Typography.Text type="secondary">（全站每日上限 {limit} 条）</Typography.Text>
          </Typography.Text>
        )}
      </CardContent>
    </div>
  )
}

/** In full: the advice is at its end. */
function Reason({ text }: { text: string }) {
  return text ? <span className={cells.clamped}>{text}</span> : dash
}
