import type { annotations, bookmarks, reading } from '#shared/contract/reading.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { createAnnotation, deleteAnnotations, listAnnotations, updateAnnotation } from './annotations.ts'
import { createBookmark, deleteBookmarks, listBookmarks, updateBookmark } from './bookmarks.ts'
import { exportNotes } from './export.ts'
import { clearHistory, deleteHistory, listHistory } from './history.ts'
import { findProgress, finish, saveProgress } from './progress.ts'
import { findRecording, setRecording } from './recording.ts'

export const readingRoutes: Handlers<typeof reading> = {
  progress: findProgress,
  save: saveProgress,
  finish: emptyReply(finish),
  history: listHistory,
  delete: emptyReply(deleteHistory),
  clear: emptyReply(clearHistory),
  recording: findRecording,
  setRecording: emptyReply(setRecording),
}

export const bookmarkRoutes: Handlers<typeof bookmarks> = {
  create: createBookmark,
  update: emptyReply(updateBookmark),
  delete: emptyReply(deleteBookmarks),
  list: listBookmarks,
}

export const annotationRoutes: Handlers<typeof annotations> = {
  create: createAnnotation,
  update: emptyReply(updateAnnotation),
  delete: emptyReply(deleteAnnotations),
  list: listAnnotations,
  export: exportNotes,
}
