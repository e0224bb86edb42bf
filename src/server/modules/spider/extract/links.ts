import { isUtf8 } from 'node:buffer'
import { compilePatterns } from './patterns.ts'
import type { PageRule } from './rule.ts'

/** What a rule makes of an address. */
export interface LinkRules {
  /** `name` is the file name that the link gives, if it does. */
  kindOf(url: URL, name?: string): 'page' | 'item' | undefined
  /** For links that the rule's own selector names as the next page. */
  mayFollow(url: URL): boolean
}

export function compileRule(rule: PageRule): LinkRules {
  const isExcluded = compilePatterns(rule.exclude)
  const isFollowed = compilePatterns(rule.follow)
  const isListed = compilePatterns(rule.items)
  const hosts = new Set(rule.hosts.map((host) => host.toLowerCase()))
  const exts = new Set(rule.exts.map(dotted))
  const isDocument = (url: URL, name: string) =>
    rule.items.length > 0 ? isListed(url) : fileNamesOf(url, name).some((file) => exts.has(extensionOf(file)))
  const isArticle = (url: URL) => hosts.has(url.host) && isListed(url)
  const isItem = rule.target === 'document' ? isDocument : isArticle
  const isPage = (url: URL) => hosts.has(url.host) && !isFile(url)
  return {
    kindOf(url, name = '') {
      if (isExcluded(url)) return undefined
      if (isItem(url, name)) return 'item'
      return isPage(url) && (rule.follow.length === 0 || isFollowed(url)) ? 'page' : undefined
    },
    mayFollow: (url) => isPage(url) && !isExcluded(url),
  }
}

/** The name of the file that an address ends in, as a person would read it. */
export function fileNameOf(url: URL): string {
  return decodeEscapes(url.pathname.slice(url.pathname.lastIndexOf('/') + 1))
}

/** Owners write kinds of files as `pdf` or `.PDF`. */
export function dotted(ext: string): string {
  return `.${ext.trim().replace(/^\./, '').toLowerCase()}`
}

/** `.pdf`; empty for none. */
export function extensionOf(name: string): string {
  return /\.[a-z\d]{1,5}$/i.exec(name)?.[0].toLowerCase() ?? ''
}

const fileExtensions = new Set(
  [
    'jpg jpeg png gif webp avif bmp ico svg tif tiff psd ai eps',
    'mp3 mp4 m4a m4v avi mov wmv flv mkv webm wav ogg rm rmvb',
    'zip rar 7z tar gz bz2 xz tgz iso exe msi apk dmg pkg deb rpm jar bin dll',
    'css js mjs map json xml rss atom txt csv woff woff2 ttf otf eot swf ics vcf',
    'pdf doc docx docm dot dotx wps wpt xls xlsx xlsm xlt et ett ppt pptx pptm pps ppsx pot dps dpt rtf odt ods odp ofd',
    'epub mobi azw3 umd chm djvu ps',
  ].flatMap((line) => line.split(' ').map((ext) => `.${ext}`)),
)

function isFile(url: URL): boolean {
  return fileExtensions.has(extensionOf(url.pathname))
}

/** Scripts that send files name them in the query: `/download.jsp?filename=a.pdf`. Pages do as well: `viewer.html?file=a.pdf`. */
function fileNamesOf(url: URL, name: string): string[] {
  const inQuery = /\.x?html?$/i.test(url.pathname) ? [] : [...url.searchParams.values()]
  return [url.pathname, name, ...inQuery]
}

/** Old sites escape the bytes of GBK. */
function decodeEscapes(text: string): string {
  const bytes = Buffer.from(
    text.replace(/%[\da-f]{2}/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16))),
    'latin1',
  )
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'gb18030').decode(bytes)
}
