import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type * as z from 'zod/mini'
import { AppError, errors, type FieldProblem, wireCodes } from '#shared/errors.ts'
import { getFieldLabel } from '#shared/labels.ts'
import { isUnreachable } from '#server/db/unreachable.ts'
import type { Logger } from '#server/log.ts'

/** All errors have the same format: `{error, code, message}`, with our reason and the invalid fields. */
export function toErrorResponse(error: AppError, context: Context): Response {
  const { reason, status, message, details, challenge } = error
  // The rest of a body that is too large is not read: nothing else can follow on this connection.
  if (status === 413) context.header('connection', 'close')
  if (reason === 'request.tooMany') context.header('retry-after', '1')
  return context.json(
    {
      error: message,
      code: wireCodes[status] ?? 2,
      message,
      reason,
      ...(details.length > 0 && { details }),
      ...(challenge && { challenge }),
    },
    status as ContentfulStatusCode,
  )
}

/** An undeclared error is a bug: it is logged, and the client only gets the request id. */
export function toAppError(thrown: unknown, requestId: string, log: Logger): AppError {
  if (thrown instanceof AppError) return thrown
  if (thrown instanceof HTTPException && thrown.status === 413) return errors.request.tooLarge()
  log.error({ id: requestId, error: thrown }, 'request failed')
  if (isUnreachable(thrown)) return errors.request.databaseUnreachable()
  return errors.request.internal(requestId)
}

export function invalidInput(issues: readonly z.core.$ZodIssue[]): AppError {
  const details = issues.slice(0, 20).map(toProblem)
  const [first] = details
  const message = first ? `${getFieldLabel(first.field)}：${first.message}` : '请求内容不正确'
  const { reason, status } = errors.request.invalid(message)
  return new AppError(reason, status, message, details)
}

function toProblem({ path, message, code }: z.core.$ZodIssue): FieldProblem {
  const isOurs = /[\u4e00-\u9fff]/.test(message)
  return { field: path.map(String).join('.'), message: isOurs ? message : (messages[code] ?? '内容不正确') }
}

const messages: Record<string, string> = {
  invalid_type: '缺少内容或类型不正确',
  too_big: '超出允许的范围',
  too_small: '低于允许的范围',
  invalid_value: '不是允许的值',
  invalid_format: '格式不正确',
}
