import { useEffect } from 'react'
import { annotations, bookmarks, type Annotation, type Bookmark } from '#shared/contract/reading.ts'
import type { HighlightColor } from '#shared/enums.ts'
import type { Selected } from '#web/features/documents/reader/notes/page-text.ts'
import { api } from '#web/lib/api.ts'
import { useWhenOnline } from '#web/lib/browser/online.ts'
import { useSession } from '#web/lib/session.ts'
import { createStore, useStore } from '#web/lib/store.ts'

/** The member's marks in the open document, which its pages and the side panel share. */

interface Marks {
  /** Of the document and the member. */
  key: string
  state: 'loading' | 'ready' | 'failed'
  bookmarks: readonly Bookmark[]
  annotations: readonly Annotation[]
  /** The annotation whose editor is open. */
  editing: number
  /** What was deleted last, until it can be restored no more. */
  deleted: Annotation | undefined
}

const none: Marks = { key: '', state: 'loading', bookmarks: [], annotations: [], editing: 0, deleted: undefined }
const store = createStore(() => none)

/** As many as a document can have. */
const all = { bookmarks: 500, annotations: 1000 }

export function useMarks(documentId: number): Marks {
  const user = useSession().user.id
  const marks = useStore(store, none)
  const key = `${user}:${documentId}`
  useEffect(() => {
    if (user > 0 && store.get().key !== key) void loadMarks(documentId, key)
  }, [user, documentId, key])
  useWhenOnline(() => {
    const { state, key: loaded } = store.get()
    if (state === 'failed' && loaded === key) void loadMarks(documentId, key)
  })
  return marks.key === key ? marks : none
}

export function reloadMarks(documentId: number): void {
  const { key } = store.get()
  void loadMarks(documentId, key)
}

async function loadMarks(document_id: number, key: string): Promise<void> {
  store.set({ ...none, key })
  try {
    const [{ bookmark }, { annotation }] = await Promise.all([
      api(bookmarks.list, { document_id, size: all.bookmarks }),
      api(annotations.list, { document_id, size: all.annotations }),
    ])
    update(key, () => ({ state: 'ready', bookmarks: bookmark, annotations: annotation }))
  } catch {
    update(key, () => ({ state: 'failed' }))
  }
}

/** A response that arrives after another document was opened changes nothing. */
function update(key: string, change: (marks: Marks) => Partial<Marks>): void {
  const marks = store.get()
  if (marks.key === key) store.set({ ...marks, ...change(marks) })
}

export function edit(id: number): void {
  update(store.get().key, () => ({ editing: id }))
}

export function isEditing(id: number): boolean {
  return store.get().editing === id
}

/** Returns the new ones, of which there is one for each page. */
export async function annotate(
  document_id: number,
  selected: readonly Selected[],
  { color, note = '' }: { color: HighlightColor; note?: string },
): Promise<Annotation[]> {
  const { key } = store.get()
  const added: Annotation[] = []
  for (const range of selected) {
    const annotation = await api(annotations.create, { document_id, ...range, color, note })
    added.push(annotation)
    update(key, (marks) => ({ annotations: inOrder([...marks.annotations, annotation]) }))
  }
  return added
}

export async function changeAnnotation(
  annotation: Annotation,
  change: { color: HighlightColor; note: string },
): Promise<void> {
  const { key } = store.get()
  await api(annotations.update, { id: annotation.id, ...change })
  update(key, (marks) => ({
    annotations: marks.annotations.map((one) => (one.id === annotation.id ? { ...one, ...change } : one)),
  }))
}

export async function deleteAnnotation(annotation: Annotation): Promise<void> {
  const { key } = store.get()
  await api(annotations.delete, { id: [annotation.id] })
  update(key, (marks) => ({
    annotations: marks.annotations.filter(({ id }) => id !== annotation.id),
    editing: 0,
    deleted: annotation,
  }))
}

export async function restoreDeleted(): Promise<void> {
  const { deleted } = store.get()
  if (!deleted) return
  dropDeleted()
  await annotate(deleted.document_id, [deleted], deleted)
}

export function dropDeleted(): void {
  update(store.get().key, () => ({ deleted: undefined }))
}

/** Returns whether the page has a bookmark now. */
export async function toggleBookmark(document_id: number, page: number): Promise<boolean> {
  const { key, bookmarks: before } = store.get()
  const existing = before.find((bookmark) => bookmark.page === page)
  if (existing) {
    await api(bookmarks.delete, { id: [existing.id] })
    update(key, (marks) => ({ bookmarks: marks.bookmarks.filter(({ id }) => id !== existing.id) }))
    return false
  }
  const bookmark = await api(bookmarks.create, { document_id, page })
  update(key, (marks) => ({
    bookmarks: [...marks.bookmarks.filter(({ id }) => id !== bookmark.id), bookmark].toSorted(
      (a, b) => a.page - b.page,
    ),
  }))
  return true
}

export async function renameBookmark(id: number, label: string): Promise<void> {
  const { key } = store.get()
  await api(bookmarks.update, { id, label })
  update(key, (marks) => ({
    bookmarks: marks.bookmarks.map((bookmark) => (bookmark.id === id ? { ...bookmark, label } : bookmark)),
  }))
}

function inOrder(list: readonly Annotation[]): Annotation[] {
  return list.toSorted(
    (a, b) => a.page - b.page || a.start_line - b.start_line || a.start_char - b.start_char || a.id - b.id,
  )
}
