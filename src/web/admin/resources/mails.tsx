import { Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { call } from '#web/admin/actions.ts'
import { dash, Pair } from '#web/admin/cells.tsx'
import { cell, figure, tag, time } from '#web/admin/columns.tsx'
import { select } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const { list, retry, delete: remove } = contract.mails

type Mail = Reply<typeof list>['mail'][number]

const states = { 0: '等待', 1: '已发送', 2: '失败' }

export const mails = resource({
  title: '邮件',
  api: { list, delete: remove },
  hint: '记录保留 7 天，不含邮件内容。发送失败会自动再试几次，最后仍失败的可以在这里重试。',
  nothing: '最近 7 天没有发送过邮件',
  columns: [
    { key: 'id', width: 72, extra: true },
    cell('email', '收件人和主题', ({ email, title }: Mail) => <Pair first={email} second={title} />, { width: 220 }),
    tag('status', states, { label: '状态', width: 92, colors: { 0: 'gold', 1: 'green', 2: 'red' } }),
    figure('attempts', { label: '次数', sort: true }),
    cell('error', '最近一次失败的原因', ({ error }: Mail) => <Reason text={error} />, { width: 300 }),
    time('created_at', { label: '提交时间', sort: true }),
    time('updated_at', { label: '更新时间', sort: true, extra: true }),
  ],
  filters: ['wd', select('status', '状态', states)],
  actions: [
    call(retry, '重试', {
      bulk: true,
      question: '邮件会立即重新排队发送。',
      done: '已重新排队，稍后刷新可以看到结果',
      blocked: ({ status, is_expired }: Mail) => {
        if (status !== 2) return '只有失败的邮件才需要重试'
        return is_expired ? '邮件里的验证码或链接已过期，请让对方重新获取' : undefined
      },
    }),
  ],
  kept: ({ status }) => (status === 0 ? '还在等待发送，有结果之后才能删除' : undefined),
  deletion: '只删除记录，已经发出的邮件不受影响。',
  nameOf: ({ title, email }) => `${title}（${email}）`,
})

/** In full: what is to be done about it stands at its end. */
function Reason({ text }: { text: string }) {
  return text ? <Typography.Paragraph className="wa-note">{text}</Typography.Paragraph> : dash
}
