import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppError } from '#shared/errors.ts'
import { plainPageHeaders, renderPlainPage } from '../site/plain-page.ts'

const retrySeconds = 10

/** Whether a visitor looks at the answer, not a program. */
export function isPageRequest({ req }: Context): boolean {
  const wantsHtml = req.header('accept')?.includes('text/html') ?? false
  return req.method === 'GET' && wantsHtml && !req.path.startsWith('/api/')
}

/** In place of a page that could not even be begun: without the database there is not even the name of the site. */
export function toFailurePage({ status, message }: AppError, context: Context): Response {
  const html = renderPlainPage({
    sitename: '',
    title: status < 500 ? '这个页面没能打开' : '网站暂时不能访问',
    text: `${message}。恢复后，这个页面会自己打开。`,
  })
  return context.html(html, status as ContentfulStatusCode, {
    ...plainPageHeaders,
    'retry-after': String(retrySeconds),
  })
}
