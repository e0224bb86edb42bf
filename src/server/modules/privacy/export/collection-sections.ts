import {
  CollectionVisibility,
  collectionVisibilityLabels,
  FollowTarget,
  followTargetLabels,
} from '#shared/collections.ts'
import { ContentType, contentTypeLabels, reviewStatusLabels } from '#shared/enums.ts'
import { batch, isTitleKnownTo, type Section, text, time } from './section.ts'

export const collectionSections: readonly Section[] = [
  {
    name: 'collections',
    title: '文集',
    columns: {
      标题: text('title'),
      简介: text('description'),
      可见范围: text('visibility'),
      创建时间: time('created_at'),
    },
    async read(db, userId, after) {
      const rows = await db
        .selectFrom('collection')
        .select(['id', 'uuid', 'title', 'description', 'visibility', 'status', 'ip', 'created_at', 'updated_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute()
      return rows.map(({ visibility, status, ...row }) => ({
        ...row,
        visibility: collectionVisibilityLabels[visibility],
        status: reviewStatusLabels[status],
      }))
    },
  },
  {
    name: 'collection-items',
    title: '文集的内容',
    columns: { 文集: text('collection'), 标题: text('title'), 类型: text('type'), 附注: text('note') },
    async read(db, userId, after) {
      const rows = await db
        .selectFrom('collection_item')
        .innerJoin('collection', 'collection.id', 'collection_item.collection_id')
        .leftJoin('document', (join) =>
          join
            .onRef('document.id', '=', 'collection_item.content_id')
            .on('collection_item.content_type', '=', ContentType.Document)
            .on(isTitleKnownTo(userId)),
        )
        .leftJoin('article', (join) =>
          join
            .onRef('article.id', '=', 'collection_item.content_id')
            .on('collection_item.content_type', '=', ContentType.Article),
        )
        .select(['collection_item.id', 'collection_item.content_type', 'collection_item.note'])
        .select(['collection_item.created_at', 'collection.title as collection'])
        .select(['document.title as document', 'article.title as article'])
        .where('collection.user_id', '=', userId)
        .where('collection_item.id', '>', after)
        .orderBy('collection_item.id')
        .limit(batch)
        .execute()
      return rows.map(({ document, article, content_type, ...row }) => ({
        ...row,
        type: contentTypeLabels[content_type],
        title: document ?? article ?? '',
      }))
    },
  },
  {
    name: 'follows',
    title: '关注',
    columns: { 名称: text('title'), 类型: text('kind'), 关注时间: time('created_at') },
    async read(db, userId, after) {
      const rows = await db
        .selectFrom('follow')
        .leftJoin('user', (join) =>
          join.onRef('user.id', '=', 'follow.target_id').on('follow.kind', '=', FollowTarget.Author),
        )
        .leftJoin('category', (join) =>
          join.onRef('category.id', '=', 'follow.target_id').on('follow.kind', '=', FollowTarget.Category),
        )
        .leftJoin('collection', (join) =>
          join
            .onRef('collection.id', '=', 'follow.target_id')
            .on('follow.kind', '=', FollowTarget.Collection)
            .on('collection.visibility', '=', CollectionVisibility.Public),
        )
        .select(['follow.id', 'follow.kind', 'follow.created_at'])
        .select(['user.username', 'category.title as category', 'collection.title as collection'])
        .where('follow.user_id', '=', userId)
        .where('follow.id', '>', after)
        .orderBy('follow.id')
        .limit(batch)
        .execute()
      return rows.map(({ username, category, collection, kind, ...row }) => ({
        ...row,
        kind: followTargetLabels[kind],
        title: username ?? category ?? collection ?? '',
      }))
    },
  },
]
