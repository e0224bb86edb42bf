import { Flex, Tag } from 'antd'
import type { Article } from '#shared/contract/articles.ts'
import { contract } from '#shared/contract/contract.ts'
import { reviewStatusLabels } from '#shared/enums.ts'
import { call, goto } from '#web/admin/actions.ts'
import { dash, UserLink } from '#web/admin/cells.tsx'
import { cell, figure, time } from '#web/admin/columns.tsx'
import { categoryPath, select, textarea, toggle } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { ReviewTag, unlessAlready } from '#web/admin/resources/review-tag.tsx'

const api = contract.articles
const editor = '/admin/article/set'

export const articleColumns = {
  id: { key: 'id', width: 72, sort: true } as const,
  title: cell('title', '文章', (row: Article) => <Title article={row} />, { width: 280 }),
  author: cell('user', '作者', ({ user, user_id, author }: Article) =>
    user_id > 0 ? <UserLink id={user_id} name={user.username} /> : author || dash,
  ),
  category: cell('category', '分类', ({ category }: Article) => category.map(({ title }) => title).join(' / ') || dash),
  status: cell(
    'status',
    '状态',
    ({ status, reject_reason }: Article) => <ReviewTag status={status} reason={reject_reason} />,
    { width: 140 },
  ),
}

export const articles = resource({
  title: '文章',
  api: { list: api.list, delete: api.delete },
  needs: { delete: 'ArticleAPI/DeleteArticle' },
  workshop: { page: editor, needs: 'ArticleAPI/CreateArticle' },
  columns: [
    articleColumns.id,
    articleColumns.title,
    articleColumns.author,
    articleColumns.category,
    articleColumns.status,
    cell('view_count', '浏览 / 评论 / 收藏', (row: Article) => <Counts article={row} />, { sort: true }),
    figure('comment_count', { label: '评论', sort: true, extra: true }),
    figure('favorite_count', { label: '收藏', sort: true, extra: true }),
    time('recommend_at', { label: '推荐时间', sort: true, extra: true }),
    time('created_at', { label: '发布时间', sort: true }),
    time('updated_at', { sort: true, extra: true }),
  ],
  filters: [
    'wd',
    select('status', '状态', reviewStatusLabels),
    categoryPath('category_id', '分类', 1),
    toggle('is_recommend', '已推荐'),
  ],
  actions: [
    goto(editor, '编辑', ({ id }: Article) => `id=${id}`, { needs: 'ArticleAPI/UpdateArticle' }),
    call(api.check, '审核通过', {
      bulk: true,
      given: { status: 1 },
      question: '通过后所有人都能看到。',
      blocked: unlessAlready(1),
    }),
    call(api.check, '审核不通过', {
      bulk: true,
      danger: true,
      given: { status: 2 },
      ask: [textarea('reject_reason', '原因', { required: true, help: '作者会看到，修改后重新审核' })],
      blocked: unlessAlready(2),
    }),
    call(api.check, '退回待审核', {
      bulk: true,
      given: { status: 0 },
      question: '审核之前，只有作者和管理人员能看到。',
      blocked: unlessAlready(0),
    }),
    call(api.recommend, '推荐', {
      bulk: true,
      given: { is_recommend: true },
      question: '推荐的文章显示在文章页的一侧。',
      blocked: ({ recommend_at }: Article) => (recommend_at ? '已经推荐' : undefined),
    }),
    call(api.recommend, '取消推荐', {
      bulk: true,
      given: { is_recommend: false },
      blocked: ({ recommend_at }: Article) => (recommend_at ? undefined : '没有推荐'),
    }),
    call(api.setCategory, '修改分类', { bulk: true, ask: [categoryPath('category_id', '分类', 1)] }),
  ],
  deletion: '文章会移到回收站，可以恢复。',
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

function Counts({ article: { view_count, comment_count, favorite_count } }: { article: Article }) {
  return <span className="wa-figure">{[view_count, comment_count, favorite_count].join(' / ')}</span>
}
