import * as z from 'zod/mini'
import { HighlightColor } from '#shared/enums.ts'
import { code, count } from '#shared/fields.ts'
import { perTab } from '#web/lib/browser/storage.ts'

/** What a visitor wanted to mark before they were asked to log in. */

const range = { start_line: count(), start_char: count(), end_line: count(), end_char: count() }
const Draft = z.object({
  document_id: count(),
  color: code(HighlightColor),
  /** They wanted to write a note too. */
  has_note: z.boolean(),
  selected: z.array(z.object({ page: count(), ...range, quote: z.string() })),
})
export type Draft = z.output<typeof Draft>

const storageKey = 'wendou-note-draft'

export function storeDraft(draft: Draft): void {
  perTab.write(storageKey, JSON.stringify(draft))
}

/** Returns it once, to the document that it belongs to. */
export function takeDraft(documentId: number): Draft | undefined {
  const text = perTab.read(storageKey)
  if (text === null) return undefined
  const draft = z.safeParse(Draft, parseJson(text))
  if (draft.success && draft.data.document_id !== documentId) return undefined
  perTab.remove(storageKey)
  return draft.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
