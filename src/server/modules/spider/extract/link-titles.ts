import type { Element } from 'domhandler'
import { elementsOf } from './dom.ts'
import { dotted, extensionOf, fileNameOf } from './links.ts'
import { maxTitleLength } from './metadata.ts'
import { cut, tidy, visibleText } from './text.ts'

export interface LinkTitle {
  text: string
  /** It says what the link leads to; others are made from the file's name or the page's title. */
  isOwn: boolean
}

/** A title for what a link leads to. */
export function titleOf(link: Element, url: URL, pageTitle: string, exts: readonly string[]): LinkTitle {
  const text = visibleText(link, maxTitleLength) || pictureText(link)
  const attribute = tidy(link.attribs.title ?? '')
  // Lists shorten long titles and give the whole one as a tooltip.
  const written = isShortenedFrom(text, attribute) ? [attribute, text] : [text, attribute]
  const own = [...written, tidy(link.attribs.download ?? '')].find((candidate) => !isGeneric(candidate))
  if (own !== undefined) return { text: withoutExtension(own, exts), isOwn: true }
  const file = withoutExtension(tidy(fileNameOf(url)), exts)
  const fallback = isMeaningful(file) ? file : pageTitle || file || url.host
  return { text: cut(fallback, maxTitleLength), isOwn: false }
}

const genericWords =
  /点击|点此|立即|直接|免费|马上|本地|高速|普通|极速|请|在线|这里|此处|下载|查看|浏览|预览|打开|阅读|文件|附件|全文|原文|正文|文档|地址|链接|详情|详细|更多|download|view|open|read|click|here|more|file|full|text|attachment|pdf|docx?|word|xlsx?|excel|pptx?|zip|[kmg]i?b\b/gi

/** It only says that there is something to download. */
function isGeneric(text: string): boolean {
  return !/[\p{L}]/u.test(text.replace(genericWords, ''))
}

/** Many systems name files by number, date or hash. */
function isMeaningful(file: string): boolean {
  if (isGeneric(file) || /^[\da-f_-]{16,}$/i.test(file)) return false
  return /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]{2}|\p{L}{3}/u.test(file)
}

function isShortenedFrom(text: string, whole: string): boolean {
  const beginning = text.replace(/(?:\.{2,}|…+)$/, '')
  return whole.length > text.length && beginning.length >= 2 && whole.startsWith(beginning)
}

function pictureText(link: Element): string {
  for (const { name, attribs } of elementsOf(link)) if (name === 'img' && attribs.alt) return tidy(attribs.alt)
  return ''
}

export function withoutExtension(title: string, exts: readonly string[]): string {
  const ext = extensionOf(title)
  const isKnown = exts.some((known) => dotted(known) === ext)
  return cut(isKnown ? title.slice(0, -ext.length).trim() : title, maxTitleLength)
}
