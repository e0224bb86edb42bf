import sanitize from 'sanitize-html'

/** The analytics snippet of the site owner. */
export interface Analytics {
  scripts: Script[]
  /** Sources for `script-src`: the files that the snippet names, or a whole origin where it names no file. */
  origins: string[]
  /** Origins for `connect-src`: those of the scripts, and the endpoints of well-known providers. */
  reportOrigins: string[]
}

interface Script {
  attributes: Record<string, string>
  code: string
}

const none: Analytics = { scripts: [], origins: [], reportOrigins: [] }
let memo = { text: '', read: none }

/** Extracts the scripts of a snippet, which has tags or only code. Everything else is dropped. */
export function readAnalytics(text: string): Analytics {
  if (text !== memo.text) memo = { text, read: parse(text) }
  return memo.read
}

/** The code without tags, for clients that run it themselves. */
export function analyticsText(text: string): string {
  return readAnalytics(text)
    .scripts.flatMap(({ code }) => (code ? [code] : []))
    .join('\n')
}

/** None on admin and account pages. */
export function analyticsFor(pathname: string, text: string): Analytics {
  return /^\/(admin|me)(\/|$)/.test(pathname) ? none : readAnalytics(text)
}

/** Adds the scripts at the end of the page, with the nonce. */
export function withAnalytics(html: string, { scripts }: Analytics, nonce: string): string {
  if (scripts.length === 0) return html
  const tags = scripts.map(({ attributes, code }) => {
    const rendered = Object.entries(attributes).map(([name, value]) =>
      value ? ` ${name}="${escape(value)}"` : ` ${name}`,
    )
    return `<script nonce="${nonce}"${rendered.join('')}>${code}</script>`
  })
  const end = html.lastIndexOf('</body>')
  const at = end < 0 ? html.length : end
  return html.slice(0, at) + tags.join('') + html.slice(at)
}

const maxAddresses = 20

function parse(text: string): Analytics {
  const scripts = (text.includes('<') && /<script|^\s*</i.test(text) ? tagged(text) : bare(text)).filter(isPlain)
  const addresses = scripts
    .flatMap(({ attributes: { src = '' }, code }) => [
      ...extractAddresses(src),
      ...extractStrings(code).flatMap(extractAddresses),
    ])
    .slice(0, maxAddresses)
  const reported = addresses.flatMap(({ origin }) => [origin, ...findCompanions(origin)])
  return { scripts, origins: [...new Set(addresses.map(toScriptSource))], reportOrigins: [...new Set(reported)] }
}

function bare(text: string): Script[] {
  return text.trim() === '' ? [] : [{ attributes: {}, code: text.trim() }]
}

function tagged(text: string): Script[] {
  const scripts: Script[] = []
  sanitize(text.replace(/<noscript[\s\S]*?(<\/noscript\s*>|$)/gi, ''), {
    allowedTags: ['script'],
    allowVulnerableTags: true,
    allowedAttributes: {
      script: [
        'src',
        'async',
        'defer',
        'type',
        'id',
        'charset',
        'crossorigin',
        'integrity',
        'referrerpolicy',
        'data-*',
      ],
    },
    allowedSchemes: ['https', 'http'],
    exclusiveFilter({ tag, attribs, text: code }) {
      if (tag === 'script') scripts.push({ attributes: { ...attribs }, code: attribs['src'] ? '' : code.trim() })
      return true
    },
  })
  return scripts.filter(({ attributes: { src = '' }, code }) => src !== '' || code !== '')
}

/** Has an executable type and an http(s) source, and ends for the browser where it ends for our parser. */
function isPlain({ attributes: { src, type = '' }, code }: Script): boolean {
  if (!/^(|module|(text|application)\/(x-)?(java|ecma)script)$/i.test(type)) return false
  if (src !== undefined && !/^\/(?!\/)/.test(src) && extractAddresses(src).length === 0) return false
  return !/<\/script/i.test(code) && !(code.includes('<!--') && /<script/i.test(code))
}

/** The string literals of a script, without those in comments. */
function extractStrings(code: string): string[] {
  const pieces = code.matchAll(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'|`((?:\\[\s\S]|[^`\\])*)`/g,
  )
  return [...pieces].flatMap(([, double, single, template]) => double ?? single ?? template ?? [])
}

interface Address {
  /** Without a protocol where the snippet has none: then that of the page applies. */
  origin: string
  path: string
}

/** At the beginning of the text or of a quoted part of it, as snippets contain whole tags. */
function extractAddresses(text: string): Address[] {
  const matches = text.matchAll(
    /(?:^|["'`=])\\?(https?:)?\/\/([\w-]+(?:\.[\w-]+)*(?::\d{1,5})?)(?=[/?#"'`\\\s]|$)([^\s"'`<>?#\\]*)/gi,
  )
  return [...matches].flatMap(([, protocol, host = '', path = '']) => {
    const url = URL.parse(`${protocol ?? 'https:'}//${host}${path}`)
    if (!url || !isScriptOrEndpoint(url)) return []
    return [{ origin: protocol ? url.origin : url.host, path: url.pathname }]
  })
}

/** A script or an endpoint; not an image, which the policy allows anyway, nor an XML namespace. */
function isScriptOrEndpoint({ hostname, pathname }: URL): boolean {
  const [, ending = 'js'] = /\.([a-z]\w*)$/i.exec(pathname) ?? []
  return !/(^|\.)(w3|schema|purl)\.org$/.test(hostname) && /^(m?js|php|jsp|ashx|aspx|cgi|do)$/i.test(ending)
}

/** Anyone can publish on a CDN: a named file allows only itself. Scripts of well-known providers load more files. */
function toScriptSource({ origin, path }: Address): string {
  const isFile = /\.m?js$/i.test(path) && /^[\w./~%@+-]+$/.test(path)
  return isFile && findCompanions(origin).length === 0 ? origin + path : origin
}

function findCompanions(origin: string): string[] {
  return companions.flatMap(([of, also]) => (of.test(origin) ? also : []))
}

/** Providers whose scripts report to another origin than their own. */
const companions: [RegExp, string[]][] = [
  [
    /\.googletagmanager\.com$/,
    ['https://*.google-analytics.com', 'https://*.analytics.google.com', 'https://*.googletagmanager.com'],
  ],
  [/\.51\.la$/, ['https://*.51.la']],
  [/\.umami\.is$/, ['https://*.umami.is', 'https://*.umami.dev']],
  [/\.clarity\.ms$/, ['https://*.clarity.ms']],
]

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
