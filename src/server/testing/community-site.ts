import type { DocumentStatus } from '#shared/document-status.ts'
import { ContentType, ReviewStatus } from '#shared/enums.ts'
import { randomBytes } from 'node:crypto'
import { groups } from '#shared/contract/access.ts'
import { type Comment, comments } from '#shared/contract/comments.ts'
import { users } from '#shared/contract/users.ts'
import { type DocumentSite, openDocumentSite } from './document-site.ts'
import type { Person } from './site.ts'

interface CommentInput {
  on: { type: ContentType; document_id: number }
  to?: number
  content?: string
}

/** A site whose members comment: comments are approved at once, without an interval between them. */
export interface CommunitySite extends DocumentSite {
  /** A new member whose comments wait for approval. */
  reviewedMember(): Promise<Person>
  /** A new document or article to comment on. */
  document(options?: { owner?: Person; status?: DocumentStatus; title?: string }): Promise<CommentInput['on']>
  article(options?: { owner?: Person; status?: ReviewStatus; title?: string }): Promise<CommentInput['on']>
  comment(person: Person, input: CommentInput): Promise<Comment>
}

export async function openCommunitySite(parts: Parameters<typeof openDocumentSite>[1] = {}): Promise<CommunitySite> {
  const site = await openDocumentSite({}, parts)
  await site.configure({ 'security.comment_interval': '0' })
  const standard = await site.root.call(groups.get, { id: 2 })
  await site.root.call(groups.update, { ...standard, enable_comment: true, enable_comment_approval: false })
  const reviewed = await site.root.call(groups.create, {
    title: '新手',
    enable_comment: true,
    enable_comment_approval: true,
  })
  return {
    ...site,
    async reviewedMember() {
      const person = await site.member()
      await site.root.call(users.set, { id: person.id, group_id: [reviewed.id] })
      return person
    },
    async document(options = {}) {
      const [document_id = 0] = await site.addDocuments(options)
      return { type: ContentType.Document, document_id }
    },
    async article({ owner = site.root, status = ReviewStatus.Approved, title = '一篇文章' } = {}) {
      const { id } = await site.db
        .insertInto('article')
        .values({
          identifier: randomBytes(8).toString('hex'),
          user_id: owner.id,
          title,
          status,
          content: '<p>正文</p>',
          recommend_at: null,
          deleted_at: null,
          created_at: 0,
          updated_at: 0,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { type: ContentType.Article, document_id: id }
    },
    comment: (person, { on, to = 0, content = '说得好' }) =>
      person.call(comments.create, { ...on, parent_id: to, content }),
  }
}
