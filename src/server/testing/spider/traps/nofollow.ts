import { htmlAnswer, htmlPage, linkPage } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

/** Pages whose links must not be followed, by meta element, by header and by link: no path with `behind` is requested. */
export const nofollow: Trap = {
  start: '/nofollow/',
  routes: {
    '/nofollow/': linkPage('不许跟随', ['meta.html', 'header.html', 'link.html', 'other-bot.html']),
    '/nofollow/meta.html': htmlAnswer(
      htmlPage({
        title: '元素',
        head: '<meta name="ROBOTS" content="NoIndex, NoFollow">',
        body: '<a href="/nofollow/behind-meta.pdf">文件</a>',
      }),
    ),
    '/nofollow/header.html': {
      headers: { 'content-type': 'text/html', 'x-robots-tag': ['otherbot: none', 'wendoubot: nofollow'] },
      body: '<title>响应头</title><a href="/nofollow/behind-header.pdf">文件</a>',
    },
    '/nofollow/link.html': htmlAnswer(
      htmlPage({ title: '链接', body: '<a rel="noopener nofollow" href="/nofollow/behind-link.pdf">文件</a>' }),
    ),
    // Meant for another crawler.
    '/nofollow/other-bot.html': {
      headers: { 'content-type': 'text/html', 'x-robots-tag': 'otherbot: nofollow' },
      body: '<title>别人</title><a href="/nofollow/allowed.html">网页</a>',
    },
    '/nofollow/allowed.html': linkPage('允许', []),
  },
}
