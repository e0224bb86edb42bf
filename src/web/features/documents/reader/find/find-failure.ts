import { ApiError, networkFailure } from '#shared/errors.ts'

export interface FindFailure {
  words: string
  message: string
  /** Tried again by itself. */
  isOfNetwork: boolean
}

export function describeFailure(words: string, error: unknown): FindFailure {
  const isOfNetwork = error instanceof ApiError && error.status === networkFailure
  if (isOfNetwork) return { words, message: '没有连上网络，恢复后会自动查找', isOfNetwork }
  return { words, message: error instanceof ApiError ? error.message : '查找失败，请重试', isOfNetwork }
}
