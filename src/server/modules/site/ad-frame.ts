import { Hono } from 'hono'
import { adFramePath, adMessages, adSandbox } from '#shared/ad-frame.ts'
import type { Ctx } from '#server/context.ts'
import { isRunning } from './schedule.ts'

/**
 * The policy is open, as advertisement networks load from anywhere; the sandbox keeps them away from the site, also when
 * the address is opened without a frame.
 */
const policy = `sandbox ${adSandbox}; default-src * data: blob: 'unsafe-inline' 'unsafe-eval'; frame-ancestors 'self'`

/** Advertisements whose scripts the owner allows, each as a page for a frame. */
export function adFrameRoutes({ contextOf }: { contextOf: () => Promise<Ctx> }): Hono {
  const frames = new Hono()
  frames.get(adFramePath(':id{[0-9]{1,15}}'), async (context) => {
    const ctx = await contextOf()
    const ad = await ctx.db
      .selectFrom('advertisement')
      .select('content')
      .where('id', '=', Number(context.req.param('id')))
      .where('allow_scripts', '=', 1)
      .where(isRunning(ctx.now()))
      .executeTakeFirst()
    context.header('content-security-policy', policy)
    context.header('x-robots-tag', 'noindex')
    context.header('cache-control', 'no-cache')
    return context.html(ad ? adPage(ad.content) : '', ad ? 200 : 404)
  })
  return frames
}

function adPage(content: string): string {
  return `<!doctype html><meta charset="utf-8"><title>广告</title><base target="_blank"><style>html,body{margin:0;overflow:hidden;font:14px/1.5 sans-serif}body{display:flow-root}img{max-width:100%}</style><script>${reporter}</script>${content}`
}

/** As the page may start to listen after the frame has loaded, it can also ask. */
const reporter = `(() => {
  const report = () => parent.postMessage({ type: '${adMessages.height}', height: Math.ceil(document.documentElement.getBoundingClientRect().height) }, '*')
  addEventListener('message', ({ source, data }) => { if (source === parent && data === '${adMessages.ask}') report() })
  new ResizeObserver(report).observe(document.documentElement)
})()`
