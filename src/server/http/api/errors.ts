import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type * as z from 'zod/mini'
import { AppError, errors, type FieldProblem, wireCodes } from '#shared/errors.ts'
import { labelOf } from '#shared/labels.ts'
import type { Logger } from '#server/log.ts'

/** Every failure leaves in one shape: `{error, code, message}`, with our reason and the fields at fault. */
export function toResponse(error: AppError, context: Context): Response {
  const { reason, status, message, details } = error
  return context.json(
    { error: message, code: wireCodes[status] ?? 2, message, reason, ...(details.length > 0 && { details }) },
    status as ContentfulStatusCode,
  )
}

/** What was not declared is a fault of ours: the log knows all of it, the caller only a number to quote. */
export function declared(thrown: unknown, requestId: string, log: Logger): AppError {
  if (thrown instanceof AppError) return thrown
  if (thrown instanceof HTTPException && thrown.status === 413) return errors.request.tooLarge()
  log.error({ id: requestId, error: thrown }, 'request failed')
  return errors.request.internal(requestId)
}

export function invalidInput(issues: readonly z.core.$ZodIssue[]): AppError {
  const details = issues.slice(0, 20).map(toProblem)
  const [first] = details
  const message = first ? `${labelOf(first.field)}：${first.message}` : '请求内容不正确'
  const { reason, status } = errors.request.invalid(message)
  return new AppError(reason, status, message, details)
}

function toProblem({ path, message, code }: z.core.$ZodIssue): FieldProblem {
  const ours = /[\u4e00-\u9fff]/.test(message)
  return { field: path.map(String).join('.'), message: ours ? message : (sentences[code] ?? '内容不正确') }
}

const sentences: Record<string, string> = {
  invalid_type: '缺少内容或类型不正确',
  too_big: '超出允许的范围',
  too_small: '低于允许的范围',
  invalid_value: '不是允许的值',
  invalid_format: '格式不正确',
}
