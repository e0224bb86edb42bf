import type { ReactNode } from 'react'
import type { Route } from './+types/spider.ts'
import { spiderAbout } from '#shared/contract/spider-about.ts'
import { useSite } from '#web/domain/site.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { load } from '#web/lib/load.ts'
import { Page } from '#web/ui/page.tsx'

const page = load(({ api }) => api(spiderAbout.get))
export const loader = page.server
export const clientLoader = page.client
export const handle = { queryKeys: [] }

/** Tells the owners of other sites who has visited them; the crawler names this page in its requests. */
export default function Spider({ loaderData: { user_agent, product } }: Route.ComponentProps) {
  const { system, footer } = useSite().settings
  const contact = footer.contact && <a href={footer.contact}>联系我们</a>
  return (
    <Page narrow>
      <h1 className="text-2xl">关于采集程序 {product}</h1>
      <div className="prose-cn mt-5 pb-12 wrap-anywhere">
        <p>
          您的网站可能收到过 {product} 的访问：它是“{system.sitename}
          ”的采集程序，按网站管理人员写下的规则读取公开的网页，下载其中的文档，并在文档页上注明来源名称和原网址。
        </p>
        <h2>怎样认出它</h2>
        <p>它的每个请求都带着这个 User-Agent：</p>
        <Code>{user_agent}</Code>
        <h2>它怎样访问</h2>
        <ul>
          <li>先读 robots.txt 并遵守它（RFC 9309）；您的网站出错、读不到它的时候不采集（连续 30 天以上视为没有）。</li>
          <li>对一个网站同时只有一个连接，两次请求之间按设置的间隔等待。</li>
          <li>遵守 Crawl-delay、429 和 503 响应里的 Retry-After；出错时越来越慢。</li>
          <li>再次访问时带上 If-None-Match 和 If-Modified-Since，没有变化的内容不重复下载。</li>
          <li>不登录，不填写表单，不运行页面里的脚本，不保存 Cookie。</li>
          <li>遵守网页里的 noindex 和 nofollow，以及响应里的 X-Robots-Tag。</li>
        </ul>
        <h2>让它慢一点，或不要来</h2>
        <p>在您网站的 robots.txt 里写下以下内容，一天之内生效。每次请求至少间隔 10 秒：</p>
        <Code>{`User-agent: ${product}\nCrawl-delay: 10`}</Code>
        <p>不许访问某个目录：</p>
        <Code>{`User-agent: ${product}\nDisallow: /private/`}</Code>
        <p>完全不许访问：</p>
        <Code>{`User-agent: ${product}\nDisallow: /`}</Code>
        <h2>有问题，或要求删除内容</h2>
        <p>
          {contact ? <>请{contact}，</> : '请与我们联系，'}
          说明您的网站和涉及的网址。也可以在文档页点“举报”，选择侵权，我们会核实处理。
        </p>
        <h2 lang="en">In English</h2>
        <div lang="en">
          <p>
            {product} is the crawler of this document library. It reads public pages by rules that our staff have
            written, downloads documents, and names their source. It obeys robots.txt (RFC 9309), Crawl-delay,
            Retry-After, noindex and nofollow, and opens one connection to a site at a time. To slow it down or keep it
            out, use the robots.txt lines above; they take effect within a day.{' '}
            {footer.contact && (
              <>
                For anything else, please <a href={footer.contact}>contact us</a>.
              </>
            )}
          </p>
        </div>
      </div>
    </Page>
  )
}

function Code({ children }: { children: ReactNode }) {
  return (
    <pre>
      <code>{children}</code>
    </pre>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '关于采集程序', path: '/spider' })
}
