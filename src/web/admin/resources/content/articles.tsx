import { Flex, Tag } from 'antd'
import type { Article } from '#shared/contract/articles.ts'
import { contract } from '#shared/contract/contract.ts'
import { ContentType, ReviewStatus, reviewStatusLabels } from '#shared/enums.ts'
import { call, goto } from '#web/admin/actions.ts'
import { dash, UserLink } from '#web/admin/cells.tsx'
import cells from '#web/admin/cells.module.css'
import { customColumn, numberColumn, timeColumn } from '#web/admin/columns.tsx'
import { categoryPath, dateRange, select, textarea, toggle, user } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { ReviewTag, unlessAlready } from '#web/admin/resources/content/review-tag.tsx'

const api = contract.articles
const editPage = '/admin/article/set'

export const articleColumns = {
  id: { key: 'id', width: 72, sort: true } as const,
  title: customColumn('title', '文章', (row: Article) => <Title article={row} />, { width: 280 }),
  author: customColumn(
    'user',
    '作者',
    ({ user, user_id, author }: Article) =>
      user_id > 0 ? <UserLink id={user_id} name={user.username} /> : author || dash,
    { text: ({ user, user_id, author }: Article) => (user_id > 0 ? user.username : author) },
  ),
  category: customColumn('category', '分类', (row: Article) => categoryText(row) || dash, { text: categoryText }),
  status: customColumn(
    'status',
    '状态',
    ({ status, reject_reason }: Article) => <ReviewTag status={status} reason={reject_reason} />,
    { width: 140, text: ({ status }: Article) => reviewStatusLabels[status] },
  ),
}

export const articles = resource({
  title: '文章',
  api: { list: api.list, delete: api.delete },
  requires: { delete: 'ArticleAPI/DeleteArticle' },
  createPage: { page: editPage, requires: 'ArticleAPI/CreateArticle' },
  columns: [
    articleColumns.id,
    articleColumns.title,
    articleColumns.status,
    articleColumns.author,
    articleColumns.category,
    customColumn('view_count', '浏览 / 评论 / 收藏', (row: Article) => <Counts article={row} />, {
      sort: true,
      text: countsText,
    }),
    numberColumn('comment_count', { label: '评论', sort: true, hiddenByDefault: true }),
    numberColumn('favorite_count', { label: '收藏', sort: true, hiddenByDefault: true }),
    timeColumn('recommend_at', { label: '推荐时间', sort: true, hiddenByDefault: true }),
    timeColumn('created_at', { label: '发布时间', sort: true }),
    timeColumn('updated_at', { sort: true, hiddenByDefault: true }),
  ],
  filters: [
    'wd',
    select('status', '状态', reviewStatusLabels),
    categoryPath('category_id', '分类', ContentType.Article),
    toggle('is_recommend', '已推荐'),
    user('user_id', '作者'),
    dateRange('created_at', '发布时间'),
  ],
  actions: [
    goto(editPage, '编辑', ({ id }: Article) => `id=${id}`, { requires: 'ArticleAPI/UpdateArticle' }),
    call(api.review, '审核通过', {
      bulk: true,
      input: { status: ReviewStatus.Approved },
      confirm: '通过后所有人都能看到。',
      disabledReason: unlessAlready(ReviewStatus.Approved),
    }),
    call(api.review, '审核不通过', {
      bulk: true,
      danger: true,
      input: { status: ReviewStatus.Rejected },
      fields: [textarea('reject_reason', '原因', { required: true, help: '作者会看到，修改后重新审核' })],
      disabledReason: unlessAlready(ReviewStatus.Rejected),
    }),
    call(api.review, '退回待审核', {
      bulk: true,
      input: { status: ReviewStatus.Pending },
      confirm: '审核之前，只有作者和管理人员能看到。',
      disabledReason: unlessAlready(ReviewStatus.Pending),
    }),
    call(api.recommend, '推荐', {
      bulk: true,
      input: { is_recommend: true },
      confirm: '推荐的文章显示在文章页的一侧。',
      disabledReason: ({ recommend_at }: Article) => (recommend_at ? '已经推荐' : undefined),
    }),
    call(api.recommend, '取消推荐', {
      bulk: true,
      input: { is_recommend: false },
      disabledReason: ({ recommend_at }: Article) => (recommend_at ? undefined : '没有推荐'),
    }),
    call(api.setCategory, '修改分类', {
      bulk: true,
      fields: [categoryPath('category_id', '分类', ContentType.Article)],
    }),
  ],
  deleteWarning: '文章会移到回收站，可以恢复。',
})

function Title({ article: { identifier, title, recommend_at, deleted_at } }: { article: Article }) {
  return (
    <Flex gap={6} align="baseline">
      {deleted_at ? (
        <span>{title}</span>
      ) : (
        <a href={`/article/${identifier}`} target="_blank" rel="noreferrer">
          {title}
        </a>
      )}
      {recommend_at ? <Tag color="magenta">推荐</Tag> : null}
    </Flex>
  )
}

function Counts({ article }: { article: Article }) {
  return <span className={cells.numeric}>{countsText(article)}</span>
}

function countsText({ view_count, comment_count, favorite_count }: Article): string {
  return [view_count, comment_count, favorite_count].join(' / ')
}

function categoryText({ category }: Article): string {
  return category.map(({ title }) => title).join(' / ')
}
