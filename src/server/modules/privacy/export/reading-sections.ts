import { formatTime } from '#shared/format.ts'
import { highlightColorLabels } from '#shared/enums.ts'
import { batch, type Section } from './section.ts'

/** What a member read and marked. Titles are those that they saw. */
export const readingSections: readonly Section[] = [
  {
    name: 'reading',
    title: '阅读记录',
    columns: {
      文档: (row) => String(row.document_title),
      读到: (row) => `第 ${row.page} 页`,
      读完: (row) => (row.finished_at === null ? '' : formatTime(Number(row.finished_at))),
      时间: (row) => formatTime(Number(row.read_at)),
    },
    read: (db, userId, after) =>
      db
        .selectFrom('reading_progress')
        .select(['id', 'document_title', 'page', 'page_offset', 'furthest_page', 'finished_at', 'read_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute(),
  },
  {
    name: 'bookmarks',
    title: '书签',
    columns: {
      文档: (row) => String(row.document_title),
      页: (row) => String(row.page),
      名称: (row) => String(row.label),
    },
    read: (db, userId, after) =>
      db
        .selectFrom('bookmark')
        .select(['id', 'document_title', 'page', 'label', 'created_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute(),
  },
  {
    name: 'annotations',
    title: '高亮和笔记',
    columns: {
      文档: (row) => String(row.document_title),
      页: (row) => String(row.page),
      原文: (row) => String(row.quote),
      笔记: (row) => String(row.note),
    },
    async read(db, userId, after) {
      const rows = await db
        .selectFrom('annotation')
        .select(['id', 'document_title', 'page', 'quote', 'color', 'note', 'created_at', 'updated_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute()
      return rows.map((row) => ({ ...row, color: highlightColorLabels[row.color] }))
    },
  },
]
