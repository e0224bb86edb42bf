import { Tag, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Comment } from '#shared/contract/comments.ts'
import { ContentType, contentTypeLabels, ReviewStatus, reviewStatusLabels } from '#shared/enums.ts'
import { call } from '#web/admin/actions.ts'
import { dash, ClampedText, TwoLines, UserLink } from '#web/admin/cells.tsx'
import { customColumn, numberColumn, timeColumn } from '#web/admin/columns.tsx'
import { dateRange, select, textarea, user } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { ReviewTag, unlessAlready } from '#web/admin/resources/content/review-tag.tsx'

const { list, get, update, review, delete: remove } = contract.comments

export const comments = resource({
  title: '评论',
  api: { list, get, update, delete: remove },
  requires: { delete: 'CommentAPI/DeleteComment' },
  listParams: { with_document_title: true },
  columns: [
    { key: 'id', width: 72, sort: true },
    customColumn('content', '内容', (row: Comment) => <Content comment={row} />, { width: 300 }),
    customColumn('document_title', '评论对象', (row: Comment) => <Target comment={row} />, { width: 200 }),
    customColumn(
      'user',
      '作者',
      ({ user, user_id, ip }: Comment) => (
        <TwoLines primary={user_id > 0 ? <UserLink id={user_id} name={user.username} /> : dash} secondary={ip} />
      ),
      { text: ({ user }: Comment) => user.username },
    ),
    customColumn(
      'status',
      '状态',
      ({ status, reject_reason }: Comment) => <ReviewTag status={status} reason={reject_reason} />,
      { width: 140, text: ({ status }: Comment) => reviewStatusLabels[status] },
    ),
    numberColumn('comment_count', { label: '回复', hiddenByDefault: true }),
    timeColumn('created_at', { label: '发表时间', sort: true }),
  ],
  filters: [
    'wd',
    select('type', '对象', contentTypeLabels),
    select('status', '状态', reviewStatusLabels),
    user('user_id', '作者'),
    dateRange('created_at', '发表时间'),
  ],
  form: { update: [textarea('content', '内容'), select('status', '状态', reviewStatusLabels)] },
  actions: [
    call(review, '审核通过', {
      bulk: true,
      input: { status: ReviewStatus.Approved },
      confirm: '通过后所有人都能看到。',
      disabledReason: unlessAlready(ReviewStatus.Approved),
    }),
    call(review, '审核不通过', {
      bulk: true,
      danger: true,
      input: { status: ReviewStatus.Rejected },
      fields: [textarea('reason', '原因', { required: true, help: '作者会看到。不通过的评论只有管理人员能看到' })],
      disabledReason: unlessAlready(ReviewStatus.Rejected),
    }),
    call(review, '退回待审核', {
      bulk: true,
      input: { status: ReviewStatus.Pending },
      confirm: '审核之前，只有作者和管理人员能看到。',
      disabledReason: unlessAlready(ReviewStatus.Pending),
    }),
  ],
  rowName: ({ content }) =>
    content.length > maxNameLength ? `${content.slice(0, maxNameLength).toWellFormed()}…` : content,
  undeletable: ({ is_deleted }) => (is_deleted ? '已经删除，因为有回复而留着位置' : undefined),
  deleteWarning: '删除后不能恢复；有回复的评论会留下位置，内容不再显示。',
})

/** In dialogs, a comment is called by its beginning. */
const maxNameLength = 20

function Content({ comment: { content, is_deleted } }: { comment: Comment }) {
  if (is_deleted) return <Typography.Text type="secondary">已删除</Typography.Text>
  return <ClampedText text={content} />
}

function Target({ comment }: { comment: Comment }) {
  const { type, document_title, document_uuid } = comment
  const path = type === ContentType.Article ? '/article/' : '/document/'
  return (
    <TwoLines
      primary={
        document_uuid ? (
          <a href={`${path}${document_uuid}`} target="_blank" rel="noreferrer">
            {document_title || document_uuid}
          </a>
        ) : (
          document_title || dash
        )
      }
      secondary={<Tag variant="filled">{contentTypeLabels[type]}</Tag>}
    />
  )
}
