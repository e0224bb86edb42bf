import { Tag, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Comment } from '#shared/contract/social.ts'
import { type ContentType, contentTypeLabels, reviewStatusLabels } from '#shared/enums.ts'
import { call } from '#web/admin/actions.ts'
import { dash, Note, Pair, UserLink } from '#web/admin/cells.tsx'
import { cell, figure, time } from '#web/admin/columns.tsx'
import { select, textarea } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { ReviewTag, unlessAlready } from '#web/admin/resources/review-tag.tsx'

const { list, get, update, check, delete: remove } = contract.comments

export const comments = resource({
  title: '评论',
  api: { list, get, update, delete: remove },
  needs: { delete: 'CommentAPI/DeleteComment' },
  asks: { with_document_title: true },
  columns: [
    { key: 'id', width: 72, sort: true },
    cell('content', '内容', (row: Comment) => <Content comment={row} />, { width: 300 }),
    cell('document_title', '评论对象', (row: Comment) => <Target comment={row} />, { width: 200 }),
    cell('user', '作者', ({ user, user_id, ip }: Comment) => (
      <Pair first={user_id > 0 ? <UserLink id={user_id} name={user.username} /> : dash} second={ip} />
    )),
    cell('status', '状态', ({ status }: Comment) => <ReviewTag status={status} />, { width: 100 }),
    figure('comment_count', { label: '回复', extra: true }),
    time('created_at', { label: '发表时间', sort: true }),
  ],
  filters: ['wd', select('type', '对象', contentTypeLabels), select('status', '状态', reviewStatusLabels)],
  form: { update: [textarea('content', '内容'), select('status', '状态', reviewStatusLabels)] },
  actions: [
    call(check, '审核通过', {
      bulk: true,
      given: { status: 1 },
      question: '通过后所有人都能看到。',
      blocked: unlessAlready(1),
    }),
    call(check, '审核不通过', {
      bulk: true,
      danger: true,
      given: { status: 2 },
      question: '不通过的评论只有管理人员能看到。',
      blocked: unlessAlready(2),
    }),
    call(check, '退回待审核', {
      bulk: true,
      given: { status: 0 },
      question: '审核之前，只有作者和管理人员能看到。',
      blocked: unlessAlready(0),
    }),
  ],
  nameOf: ({ content }) => (content.length > shortened ? `${content.slice(0, shortened).toWellFormed()}…` : content),
  kept: ({ is_deleted }) => (is_deleted ? '已经删除，因为有回复而留着位置' : undefined),
  deletion: '删除后不能恢复；有回复的评论会留下位置，内容不再显示。',
})

/** In questions, a comment is called by its beginning. */
const shortened = 20

function Content({ comment: { content, is_deleted } }: { comment: Comment }) {
  if (is_deleted) return <Typography.Text type="secondary">已删除</Typography.Text>
  return <Note text={content} />
}

function Target({ comment }: { comment: Comment }) {
  const { type, document_title, document_uuid } = comment
  const path = type === 1 ? '/article/' : '/document/'
  return (
    <Pair
      first={
        document_uuid ? (
          <a href={`${path}${document_uuid}`} target="_blank" rel="noreferrer">
            {document_title || document_uuid}
          </a>
        ) : (
          document_title || dash
        )
      }
      second={<Tag variant="filled">{contentTypeLabels[type as ContentType]}</Tag>}
    />
  )
}
