import { AppError } from '#shared/errors.ts'
import { sanitizeArticle, type SanitizedArticle, type SanitizeTask } from './articles.sanitizer.ts'

export function sanitizeInThread(task: SanitizeTask): SanitizedArticle | { refusal: string } {
  try {
    return sanitizeArticle(task)
  } catch (error) {
    if (error instanceof AppError) return { refusal: error.message }
    throw error
  }
}
