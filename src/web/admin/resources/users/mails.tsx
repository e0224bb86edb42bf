import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { MailStatus, mailStatusLabels } from '#shared/enums.ts'
import { call } from '#web/admin/actions.ts'
import cells from '#web/admin/cells.module.css'
import { dash, TwoLines } from '#web/admin/cells.tsx'
import { customColumn, numberColumn, tagColumn, timeColumn } from '#web/admin/columns.tsx'
import { dateRange, select } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const { list, retry, delete: remove } = contract.mails

type Mail = Reply<typeof list>['mail'][number]

const statusColors: Record<MailStatus, string> = {
  [MailStatus.Waiting]: 'gold',
  [MailStatus.Sent]: 'green',
  [MailStatus.Failed]: 'red',
}

export const mails = resource({
  title: '邮件',
  api: { list, delete: remove },
  hint: '记录保留 7 天，不含邮件内容。发送失败会自动再试几次，最后仍失败的可以在这里重试。',
  emptyText: '最近 7 天没有发送过邮件',
  columns: [
    { key: 'id', width: 72, hiddenByDefault: true },
    customColumn('email', '收件人和主题', ({ email, title }: Mail) => <TwoLines primary={email} secondary={title} />, {
      width: 220,
    }),
    tagColumn('status', mailStatusLabels, { label: '状态', width: 104, colors: statusColors }),
    numberColumn('attempts', { label: '次数', sort: true }),
    customColumn('error', '最近一次失败的原因', ({ error }: Mail) => <Reason text={error} />, { width: 300 }),
    timeColumn('created_at', { label: '提交时间', sort: true }),
    timeColumn('updated_at', { label: '更新时间', sort: true, hiddenByDefault: true }),
  ],
  filters: ['wd', select('status', '状态', mailStatusLabels), dateRange('created_at', '提交时间')],
  actions: [
    call(retry, '重试', {
      bulk: true,
      confirm: '邮件会立即重新排队发送。',
      successMessage: '已重新排队，稍后刷新可以看到结果',
      disabledReason: ({ status, is_expired }: Mail) => {
        if (status !== MailStatus.Failed) return '只有失败的邮件才需要重试'
        return is_expired ? '邮件里的验证码或链接已过期，请让对方重新获取' : undefined
      },
    }),
  ],
  undeletable: ({ status }) => (status === MailStatus.Waiting ? '还在等待发送，有结果之后才能删除' : undefined),
  deleteWarning: '只删除记录，已经发出的邮件不受影响。',
  rowName: ({ title, email }) => `${title}（${email}）`,
})

/** In full: the advice is at its end. */
function Reason({ text }: { text: string }) {
  return text ? <span className={cells.clamped}>{text}</span> : dash
}
