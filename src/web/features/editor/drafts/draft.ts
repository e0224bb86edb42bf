import * as z from 'zod/mini'

/** The fields of the form, as texts. */
const Content = z.object({
  title: z.string(),
  content: z.string(),
  keywords: z.string(),
  description: z.string(),
  category_id: z.string(),
  identifier: z.string(),
  /** Empty for the first picture in the text. Drafts of earlier releases have none. */
  cover: z._default(z.string(), ''),
})
export type Content = z.output<typeof Content>

const Draft = z.extend(Content, {
  /** The editor that writes it. */
  id: z.string(),
  at: z.number(),
  /** `updated_at` of the article that it is based on; 0 for a new one. */
  base: z.number(),
})
export type Draft = z.output<typeof Draft>

const StoredDrafts = z.array(Draft)
const maxDrafts = 5

export interface DraftStorage {
  read: (key: string) => string | null
  write: (key: string, text: string) => boolean
  remove: (key: string) => void
}

/**
 * The drafts of a member for an article, or for a new one (0). Each open editor, in any window, writes its own draft; the
 * others stay until the member restores or discards them.
 */
export function drafts(storage: DraftStorage, { user, article }: { user: number; article: number }) {
  const key = `article-draft-${user}-${article}`
  let own = newId()
  let adopted = ''
  const all = () => parseDrafts(storage.read(key))
  const others = () => all().filter(({ id }) => id !== own && id !== adopted)
  const store = (list: Draft[]): boolean => {
    if (list.length > 0) return storage.write(key, JSON.stringify(list))
    storage.remove(key)
    return true
  }
  return {
    /** The drafts of other editors, the latest first. */
    others,
    /** Returns whether the draft survives a reload. */
    save: (draft: Omit<Draft, 'id'>): boolean => store([{ ...draft, id: own }, ...others()].slice(0, maxDrafts)),
    /** This editor continues that draft. Its own draft so far stays as one of the others. */
    adopt(id: string): void {
      own = newId()
      adopted = id
    },
    discard: (id: string): boolean => store(all().filter((draft) => draft.id !== id)),
    /** Removes the own draft after publishing. */
    end: (): boolean => store(others()),
  }
}

export function isSame(a: Content, b: Content): boolean {
  return fields.every((field) => a[field] === b[field])
}

/** A blank draft is not worth saving. */
export function isBlank({ title, content, keywords, description, identifier }: Content): boolean {
  const shown = content.replace(/<(img|video|hr|table|div|span) /g, '•').replace(/<[^>]*>/g, '')
  return [title, shown, keywords, description, identifier].every((text) => text.trim() === '')
}

const fields = Object.keys(Content.shape) as (keyof Content)[]

function newId(): string {
  return Math.random().toString(36).slice(2)
}

function parseDrafts(text: string | null): Draft[] {
  const list = z.safeParse(StoredDrafts, parseJson(text ?? '[]')).data ?? []
  return list.toSorted((a, b) => b.at - a.at)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return []
  }
}
