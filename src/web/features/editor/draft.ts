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

const Draft = z.extend(Content, { at: z.number() })
export type Draft = z.output<typeof Draft>

/** The latest first. There are two when somebody wrote on without looking at what had been kept. */
const Kept = z.array(Draft)

export interface Shelf {
  read: (key: string) => string | null
  write: (key: string, text: string) => boolean
  remove: (key: string) => void
}

/** The drafts of one member for one article, or for the next new one (0). */
export function drafts(shelf: Shelf, { user, article }: { user: number; article: number }) {
  const key = `article-draft-${user}-${article}`
  // What was there when the page was opened stays beside what is written now, until somebody decides.
  let older = read(shelf.read(key))
  return {
    older: (): Draft[] => older,
    /** Whether it will still be there after a reload. */
    save: (draft: Draft): boolean => shelf.write(key, JSON.stringify([draft, ...older].slice(0, 2))),
    /** The earlier ones are not needed any more. */
    forgetOlder(): void {
      older = []
    },
    remove(): void {
      older = []
      shelf.remove(key)
    },
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

function read(text: string | null): Draft[] {
  return z.safeParse(Kept, parsed(text ?? '[]')).data ?? []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return []
  }
}
