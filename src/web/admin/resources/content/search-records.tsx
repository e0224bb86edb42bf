import { contract } from '#shared/contract/contract.ts'
import cells from '#web/admin/cells.module.css'
import { UserLink } from '#web/admin/cells.tsx'
import { customColumn, numberColumn, textColumn, timeColumn } from '#web/admin/columns.tsx'
import { dateRange, text, users } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const api = contract.searchRecords

const visitor = '访客'

interface Searcher {
  user_id: number
  username: string
}

export const searchRecords = resource({
  title: '搜索记录',
  api: { list: api.list, delete: api.delete },
  hint: '保留多少天在“安全设置”里决定，0 表示不记录。',
  columns: [
    { key: 'id', width: 72 },
    textColumn('keywords', { label: '搜索词' }),
    numberColumn('total', { label: '结果' }),
    numberColumn('page', { label: '页' }),
    customColumn('spend_time', '用时', ({ spend_time }: { spend_time: number }) => (
      <span className={cells.numeric}>{`${spend_time.toFixed(3)} 秒`}</span>
    )),
    customColumn(
      'username',
      '用户',
      ({ user_id, username }: Searcher) => (user_id === 0 ? visitor : <UserLink id={user_id} name={username} />),
      { text: ({ user_id, username }: Searcher) => (user_id === 0 ? visitor : username) },
    ),
    textColumn('ip', { label: 'IP' }),
    textColumn('user_agent', { label: '浏览器', hiddenByDefault: true }),
    timeColumn('created_at', { label: '时间' }),
  ],
  filters: [text('keywords', '搜索词'), text('ip', 'IP'), users('user_id', '用户'), dateRange('created_at', '时间')],
  rowName: (row) => row.keywords,
})

/** Keywords that never had a result. */
export const missedWords = resource({
  title: '未搜到的词',
  api: { list: api.missed },
  emptyText: '没有这样的词：搜过的词都有结果',
  hint: '搜过但从未有结果的词，次数多的在前：可以据此补充文档，或给文档加上这些关键字。',
  columns: [
    textColumn('keywords', { label: '搜索词' }),
    numberColumn('times', { label: '次数' }),
    timeColumn('last_at', { label: '最近一次' }),
  ],
  filters: [text('keywords', '搜索词')],
  rowName: (row) => row.keywords,
})
