import { type ArticleDraft, articleDrafts, type DraftItem } from '#shared/contract/article-drafts.ts'
import type { Content, Draft } from '#web/features/editor/drafts/draft.ts'
import type { RemoteRef } from '#web/features/editor/drafts/remote-draft.ts'
import { api } from '#web/lib/api.ts'

/** A draft of an earlier visit or another window, in this browser or on the server. */
export interface OfferedDraft extends Partial<Draft> {
  key: string
  at: number
  title: string
  /** The article was changed since the draft was started. */
  isOutdated: boolean
  /** Undefined for one in this browser. */
  remote?: { id: number; remove: () => Promise<unknown> }
}

export async function sendDraft(
  { category_id, ...content }: Content,
  { id, updated_at }: RemoteRef,
  { articleId, base }: { articleId: number; base: number },
): Promise<RemoteRef> {
  const saved = await api(articleDrafts.save, {
    ...content,
    category_id: category_id.split(' ').filter(Boolean).map(Number),
    id,
    known_at: updated_at,
    article_id: articleId,
    based_on: base,
  })
  return toRef(saved)
}

/** Those for the same article, or for new ones. Without a network there are none: those in the browser are offered still. */
export async function listOffered(of: { articleId: number; base: number; except: number }): Promise<OfferedDraft[]> {
  const { draft } = await api(articleDrafts.list).catch(() => ({ draft: [] }))
  return draft
    .filter(({ id, article_id }) => article_id === of.articleId && id !== of.except)
    .map((item) => ({ ...toOffered(item), isOutdated: (item.based_on ?? 0) !== of.base }))
}

export function toOffered({ id, title, summary, updated_at }: DraftItem): OfferedDraft {
  return {
    key: `server ${id}`,
    at: updated_at ?? 0,
    title: title || summary,
    isOutdated: false,
    remote: { id, remove: () => api(articleDrafts.delete, { id: [id] }) },
  }
}

export async function fetchDraft(id: number): Promise<{ content: Content; ref: RemoteRef }> {
  const draft = await api(articleDrafts.get, { id })
  return { content: toContent(draft), ref: toRef(draft) }
}

function toContent({ title, content, keywords, description, cover, identifier, category_id }: ArticleDraft): Content {
  return { title, content, keywords, description, cover, identifier, category_id: category_id.join(' ') }
}

function toRef({ id, updated_at }: { id: number; updated_at: number | null }): RemoteRef {
  return { id, updated_at: updated_at ?? 0 }
}
