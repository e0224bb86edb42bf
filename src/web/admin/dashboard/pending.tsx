import { CheckCircleOutlined } from '@ant-design/icons'
import { Flex } from 'antd'
import { Link } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { Block } from '#web/admin/dashboard/block.tsx'
import { useAnswer } from '#web/admin/engine/answer.ts'
import { useMay } from '#web/admin/engine/gate.ts'
import { api } from '#web/lib/api.ts'

type Pending = Reply<typeof contract.stats.waiting>

interface Matter {
  key: keyof Pending
  label: string
  page: string
  query?: string
  /** Something went wrong, rather than being somebody's turn. */
  wrong?: boolean
}

/** Each leads to the list that shows just these. */
const matters: readonly Matter[] = [
  { key: 'document_review', label: '待审核文档', page: '/admin/document/list', query: 'status=6' },
  { key: 'article_review', label: '待审核文章', page: '/admin/article/list', query: 'status=0' },
  { key: 'comment_review', label: '待审核评论', page: '/admin/comment', query: 'status=0' },
  { key: 'report', label: '未处理举报', page: '/admin/report', query: 'status=false' },
  { key: 'failed_conversion', label: '转换失败文档', page: '/admin/document/list', query: 'status=3', wrong: true },
  { key: 'failed_mail', label: '发送失败邮件', page: '/admin/user/mail', query: 'status=2', wrong: true },
]

/** What waits for the administrator. What goes its way by itself is told, but asks for nothing. */
export function PendingBlock() {
  const answer = useAnswer(() => api(contract.stats.waiting))
  return (
    <Block title="等待处理" answer={answer} rows={2}>
      {(pending) => (
        <>
          {matters.every(({ key }) => pending[key] === 0) && (
            <Flex align="center" gap={8} className="wd-all-done">
              <CheckCircleOutlined />
              一切都处理好了
            </Flex>
          )}
          <ul className="wd-matters">
            {matters.map((matter) => (
              <li key={matter.key}>
                <MatterCard matter={matter} count={pending[matter.key]} />
              </li>
            ))}
          </ul>
          {pending.conversion_queue > 0 && <Queue count={pending.conversion_queue} />}
        </>
      )}
    </Block>
  )
}

function MatterCard({ matter, count }: { matter: Matter; count: number }) {
  const may = useMay()
  const { label, page, query, wrong } = matter
  const look = count === 0 ? 'wd-matter' : `wd-matter wd-matter-${wrong ? 'wrong' : 'open'}`
  const words = (
    <>
      <span className="wd-number">{count.toLocaleString()}</span>
      <span>{label}</span>
    </>
  )
  if (!may.open(page)) return <span className={look}>{words}</span>
  return (
    <Link to={query ? `${page}?${query}` : page} className={look}>
      {words}
    </Link>
  )
}

function Queue({ count }: { count: number }) {
  const may = useMay()
  const page = '/admin/document/list'
  const words = `${count.toLocaleString()} 份文档正在转换或等待转换`
  return (
    <p className="wd-note">{may.open(page) ? <Link to={`${page}?status=0&status=1&status=5`}>{words}</Link> : words}</p>
  )
}
