import { escapeXml } from '#server/convert/xml.ts'
import { htmlPage } from './html-page.ts'
import { type LibraryArticle, libraryCategories, type LibraryDocument } from './library-catalog.ts'

/** The pages of the library of the tests, as small sites write them. */

export function homePage(): string {
  const sections = Object.entries(libraryCategories).map(([slug, title]) => `<li><a href="/${slug}/">${title}</a></li>`)
  return htmlPage({
    title: '小城文库',
    head: '<meta name="description" content="小城图书馆的公开资料">',
    body: `<h1>小城文库</h1><ul>${sections.join('')}<li><a href="/news/">馆讯</a></li></ul><a href="/private/">内部</a>`,
  })
}

export interface ListPage {
  title: string
  /** The folder of the list. */
  path: string
  /** From 1. */
  page: number
  pages: number
  items: readonly { title: string; page: string }[]
}

export function listPage({ title, path, page, pages, items }: ListPage): string {
  const next = page < pages ? `<a class="next" rel="next" href="${listPath(path, page + 1)}">下一页</a>` : ''
  const rows = items.map((item) => `<li><a href="${item.page}">${escapeXml(item.title)}</a></li>`)
  return htmlPage({
    title: `${title}（第 ${page} 页）`,
    body: `<nav><a href="/">首页</a></nav><h1>${title}</h1><ol class="list">${rows.join('')}</ol>${next}`,
  })
}

/** The first page is the folder itself. */
export function listPath(path: string, page: number): string {
  return page === 1 ? path : `${path}page-${page}.html`
}

export function documentPage({ category, title, description, keywords, date, file }: LibraryDocument): string {
  const section = libraryCategories[category] ?? category
  return htmlPage({
    title: `${title} - 小城文库`,
    head: `<meta name="description" content="${escapeXml(description)}"><meta name="keywords" content="${escapeXml(keywords.join(','))}">`,
    body: `<nav><a href="/">首页</a> <a href="/${category}/">${section}</a></nav>
<h1 class="title">${escapeXml(title)}</h1><time datetime="${date}">${date}</time>
<p class="summary">${escapeXml(description)}</p>
<p><a class="download" href="${file}">下载</a> <a href="#top">回到顶部</a></p>`,
  })
}

export function articlePage({ title, date, paragraphs, pictures }: LibraryArticle): string {
  const [first = '', ...others] = paragraphs.map((text) => `<p>${escapeXml(text)}</p>`)
  const figures = pictures.map((path) => `<figure><img src="${path}" alt="${escapeXml(title)}"></figure>`)
  return htmlPage({
    title: `${title} - 小城文库`,
    head: `<meta name="description" content="${escapeXml(paragraphs[0] ?? '')}">`,
    body: `<nav><a href="/">首页</a> <a href="/news/">馆讯</a></nav>
<article><h1>${escapeXml(title)}</h1><time datetime="${date}">${date}</time>${first}${figures.join('')}${others.join('')}</article>
<footer>小城图书馆</footer>`,
  })
}

export function sitemap(origin: string, pages: readonly { page: string; date: string }[]): string {
  const urls = pages.map(({ page, date }) => `<url><loc>${origin}${page}</loc><lastmod>${date}</lastmod></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('\n')}</urlset>
`
}
