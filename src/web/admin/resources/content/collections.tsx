import { contract } from '#shared/contract/contract.ts'
import type { Collection } from '#shared/contract/collections.ts'
import { collectionVisibilityLabels } from '#shared/collections.ts'
import { ReviewStatus, reviewStatusLabels } from '#shared/enums.ts'
import { call } from '#web/admin/actions.ts'
import { ClampedText, dash, TwoLines, UserLink } from '#web/admin/cells.tsx'
import { customColumn, numberColumn, timeColumn } from '#web/admin/columns.tsx'
import { dateRange, select, textarea, user } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { ReviewTag, unlessAlready } from '#web/admin/resources/content/review-tag.tsx'

const { manage: list, review, delete: remove } = contract.collections

export const collections = resource({
  title: '文集',
  api: { list, delete: remove },
  requires: { delete: 'CollectionAPI/DeleteCollection' },
  columns: [
    { key: 'id', width: 72, sort: true },
    customColumn('title', '文集', (row: Collection) => <Title collection={row} />, { width: 280 }),
    customColumn('description', '简介', ({ description }: Collection) => <ClampedText text={description} />, {
      width: 240,
    }),
    customColumn(
      'user',
      '作者',
      ({ user, user_id }: Collection) => (user_id > 0 ? <UserLink id={user_id} name={user.username} /> : dash),
      { text: ({ user }: Collection) => user.username },
    ),
    customColumn(
      'status',
      '状态',
      ({ status, reject_reason }: Collection) => <ReviewTag status={status} reason={reject_reason} />,
      { width: 140, text: ({ status }: Collection) => reviewStatusLabels[status] },
    ),
    numberColumn('item_count', { label: '内容' }),
    numberColumn('follower_count', { label: '关注', sort: true }),
    timeColumn('created_at', { label: '创建时间', sort: true }),
  ],
  filters: [
    'wd',
    select('status', '状态', reviewStatusLabels),
    select('visibility', '可见范围', collectionVisibilityLabels),
    user('user_id', '作者'),
    dateRange('created_at', '创建时间'),
  ],
  actions: [
    call(review, '审核通过', {
      bulk: true,
      input: { status: ReviewStatus.Approved },
      confirm: '通过后，公开的文集所有人都能看到。',
      disabledReason: unlessAlready(ReviewStatus.Approved),
    }),
    call(review, '不通过并隐藏', {
      bulk: true,
      danger: true,
      input: { status: ReviewStatus.Rejected },
      fields: [textarea('reason', '原因', { required: true, help: '作者会看到，修改后重新审核' })],
      disabledReason: unlessAlready(ReviewStatus.Rejected),
    }),
  ],
  rowName: ({ title }) => title,
  deleteWarning: '删除后不能恢复；其中的文档和文章不受影响。',
})

function Title({ collection: { uuid, title, visibility } }: { collection: Collection }) {
  return (
    <TwoLines
      primary={
        <a href={`/collection/${uuid}`} target="_blank" rel="noreferrer">
          {title}
        </a>
      }
      secondary={collectionVisibilityLabels[visibility]}
    />
  )
}
