import { randomBytes } from 'node:crypto'
import { groups } from '#shared/contract/access.ts'
import { type Comment, comments } from '#shared/contract/social.ts'
import { users } from '#shared/contract/users.ts'
import { type Library, openLibrary } from './document-site.ts'
import type { Person } from './site.ts'

interface Said {
  on: { type: number; document_id: number }
  to?: number
  content?: string
}

/** A library whose members talk: what they say is shown at once, and nobody has to wait before they speak again. */
export interface Forum extends Library {
  /** A member whose comments are reviewed. */
  novice(): Promise<Person>
  /** A new document or article to talk about. */
  document(given?: { owner?: Person; status?: number; title?: string }): Promise<Said['on']>
  article(given?: { owner?: Person; status?: number; title?: string }): Promise<Said['on']>
  say(person: Person, said: Said): Promise<Comment>
}

export async function openForum(): Promise<Forum> {
  const library = await openLibrary()
  await library.configure({ 'security.comment_interval': '0' })
  const standard = await library.root.call(groups.get, { id: 2 })
  await library.root.call(groups.update, { ...standard, enable_comment: true, enable_comment_approval: false })
  const reviewed = await library.root.call(groups.create, {
    title: '新手',
    enable_comment: true,
    enable_comment_approval: true,
  })
  return {
    ...library,
    async novice() {
      const person = await library.member()
      await library.root.call(users.set, { id: person.id, group_id: [reviewed.id] })
      return person
    },
    async document(given = {}) {
      const [document_id = 0] = await library.shelve(given)
      return { type: 0, document_id }
    },
    async article({ owner = library.root, status = 1, title = '一篇文章' } = {}) {
      const { id } = await library.db
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
      return { type: 1, document_id: id }
    },
    say: (person, { on, to = 0, content = '说得好' }) =>
      person.call(comments.create, { ...on, parent_id: to, content }),
  }
}
