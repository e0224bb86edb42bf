import { contract } from '#shared/contract/contract.ts'
import { cell, figure, plain, time, user } from '#web/admin/columns.tsx'
import { text, users } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const api = contract.searchRecords

export const searchRecords = resource({
  title: '搜索记录',
  api: { list: api.list, delete: api.delete },
  hint: '保留多少天在“安全设置”里决定，0 表示不记录。',
  columns: [
    { key: 'id', width: 72 },
    plain('keywords', { label: '搜索词' }),
    figure('total', { label: '结果' }),
    figure('page', { label: '页' }),
    cell('spend_time', '用时', ({ spend_time }: { spend_time: number }) => (
      <span className="wa-figure">{`${spend_time.toFixed(3)} 秒`}</span>
    )),
    user('username', 'user_id', { label: '用户' }),
    plain('ip', { label: 'IP' }),
    plain('user_agent', { label: '浏览器', extra: true }),
    time('created_at', { label: '时间' }),
  ],
  filters: [text('keywords', '搜索词'), text('ip', 'IP'), users('user_id', '用户')],
  nameOf: (row) => row.keywords,
})

/** What people wanted and the library does not have. */
export const missedWords = resource({
  title: '未搜到的词',
  api: { list: api.missed },
  nothing: '没有这样的词：搜过的词都有结果',
  hint: '搜过但从未有结果的词，次数多的在前：可以据此补充文档，或给文档加上这些关键字。',
  columns: [
    plain('keywords', { label: '搜索词' }),
    figure('times', { label: '次数' }),
    time('last_at', { label: '最近一次' }),
  ],
  filters: [text('keywords', '搜索词')],
  nameOf: (row) => row.keywords,
})
