import * as z from 'zod/mini'

/** What a form holds that has not been published, as texts. */
const Content = z.object({
  title: z.string(),
  content: z.string(),
  keywords: z.string(),
  description: z.string(),
  category_id: z.string(),
  identifier: z.string(),
})
export type Content = z.output<typeof Content>

const Draft = z.extend(Content, {
  /** Of the desk where it is written. */
  id: z.string(),
  at: z.number(),
  /** When the article was last changed before that; 0 for a new one. */
  base: z.number(),
})
export type Draft = z.output<typeof Draft>

const Kept = z.array(Draft)
const mostKept = 5

export interface Shelf {
  read: (key: string) => string | null
  write: (key: string, text: string) => boolean
  remove: (key: string) => void
}

/**
 * The drafts of one member for one article, or for the next new one (0). Each desk, in whatever window, has one of its
 * own there and leaves the others alone until somebody decides about them.
 */
export function drafts(shelf: Shelf, { user, article }: { user: number; article: number }) {
  const key = `article-draft-${user}-${article}`
  let own = newId()
  let taken = ''
  const all = () => read(shelf.read(key))
  const others = () => all().filter(({ id }) => id !== own && id !== taken)
  const keep = (kept: Draft[]): boolean => {
    if (kept.length > 0) return shelf.write(key, JSON.stringify(kept))
    shelf.remove(key)
    return true
  }
  return {
    /** What was left by other desks, the latest first. */
    others,
    /** Whether it will still be there after a reload. */
    save: (draft: Omit<Draft, 'id'>): boolean => keep([{ ...draft, id: own }, ...others()].slice(0, mostKept)),
    /** The desk goes on with that one. What it held itself before stays, as one of the others. */
    take(id: string): void {
      own = newId()
      taken = id
    },
    discard: (id: string): boolean => keep(all().filter((draft) => draft.id !== id)),
    /** What was written here is published. */
    end: (): boolean => keep(others()),
  }
}

export function isSame(one: Content, other: Content): boolean {
  return fields.every((field) => one[field] === other[field])
}

/** Nothing a person would miss. */
export function isBlank({ title, content, keywords, description, identifier }: Content): boolean {
  const shown = content.replace(/<(img|video|hr|table|div|span) /g, '•').replace(/<[^>]*>/g, '')
  return [title, shown, keywords, description, identifier].every((text) => text.trim() === '')
}

const fields = Object.keys(Content.shape) as (keyof Content)[]

function newId(): string {
  return Math.random().toString(36).slice(2)
}

function read(text: string | null): Draft[] {
  const kept = z.safeParse(Kept, parsed(text ?? '[]')).data ?? []
  return kept.toSorted((one, other) => other.at - one.at)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return []
  }
}
