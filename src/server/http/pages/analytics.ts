import sanitize from 'sanitize-html'

/** What the owner's statistics provider asks to be put on the pages. */
export interface Analytics {
  scripts: Script[]
  /** What scripts pages may load: files that the text names, or all of an origin where it names no file. */
  origins: string[]
  /** Whom pages may tell something: the origins of these, and where well-known providers listen. */
  listeners: string[]
}

interface Script {
  attributes: Record<string, string>
  code: string
}

const none: Analytics = { scripts: [], origins: [], listeners: [] }
let last = { text: '', read: none }

/** Takes the scripts out of what a provider gave: tags, or the bare text of one. Everything else is dropped. */
export function readAnalytics(text: string): Analytics {
  if (text !== last.text) last = { text, read: parse(text) }
  return last.read
}

/** Without the tags: for clients that run it themselves. */
export function analyticsText(text: string): string {
  return readAnalytics(text)
    .scripts.flatMap(({ code }) => (code ? [code] : []))
    .join('\n')
}

/** What stands on a page: nothing where people manage the site or what is their own. */
export function analyticsFor(pathname: string, text: string): Analytics {
  return /^\/(admin|me)(\/|$)/.test(pathname) ? none : readAnalytics(text)
}

/** The page with the scripts at its end, marked as ours. */
export function withAnalytics(html: string, { scripts }: Analytics, nonce: string): string {
  if (scripts.length === 0) return html
  const tags = scripts.map(({ attributes, code }) => {
    const written = Object.entries(attributes).map(([name, value]) =>
      value ? ` ${name}="${escape(value)}"` : ` ${name}`,
    )
    return `<script nonce="${nonce}"${written.join('')}>${code}</script>`
  })
  const end = html.lastIndexOf('</body>')
  const at = end < 0 ? html.length : end
  return html.slice(0, at) + tags.join('') + html.slice(at)
}

const mostNamed = 20

function parse(text: string): Analytics {
  const scripts = (text.includes('<') && /<script|^\s*</i.test(text) ? tagged(text) : bare(text)).filter(isPlain)
  const addresses = scripts
    .flatMap(({ attributes: { src = '' }, code }) => [...addressesIn(src), ...quotedIn(code).flatMap(addressesIn)])
    .slice(0, mostNamed)
  const heard = addresses.flatMap(({ origin }) => [origin, ...companionsOf(origin)])
  return { scripts, origins: [...new Set(addresses.map(loadable))], listeners: [...new Set(heard)] }
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

/** A script of a kind that runs, at an address that can be named, and whose end the browser sees where we see it. */
function isPlain({ attributes: { src, type = '' }, code }: Script): boolean {
  if (!/^(|module|(text|application)\/(x-)?(java|ecma)script)$/i.test(type)) return false
  if (src !== undefined && !/^\/(?!\/)/.test(src) && addressesIn(src).length === 0) return false
  return !/<\/script/i.test(code) && !(code.includes('<!--') && /<script/i.test(code))
}

/** The texts in a program; what stands in comments is for people. */
function quotedIn(code: string): string[] {
  const pieces = code.matchAll(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'|`((?:\\[\s\S]|[^`\\])*)`/g,
  )
  return [...pieces].flatMap(([, double, single, template]) => double ?? single ?? template ?? [])
}

interface Address {
  /** Without the protocol where the text has none: then the page's own counts. */
  origin: string
  path: string
}

/** At the beginning of a text, or of something quoted in it: snippets write whole tags. */
function addressesIn(text: string): Address[] {
  const found = text.matchAll(
    /(?:^|["'`=])\\?(https?:)?\/\/([\w-]+(?:\.[\w-]+)*(?::\d{1,5})?)(?=[/?#"'`\\\s]|$)([^\s"'`<>?#\\]*)/gi,
  )
  return [...found].flatMap(([, protocol, host = '', path = '']) => {
    const url = URL.parse(`${protocol ?? 'https:'}//${host}${path}`)
    if (!url || !isAnswering(url)) return []
    return [{ origin: protocol ? url.origin : url.host, path: url.pathname }]
  })
}

/** A script or somebody who listens; not a picture, which pages may show anyway, nor the name of a kind of XML. */
function isAnswering({ hostname, pathname }: URL): boolean {
  const [, ending = 'js'] = /\.([a-z]\w*)$/i.exec(pathname) ?? []
  return !/(^|\.)(w3|schema|purl)\.org$/.test(hostname) && /^(m?js|php|jsp|ashx|aspx|cgi|do)$/i.test(ending)
}

/** Anybody may put files on the hosts of files: one that is named lets in no other. Well-known providers load more. */
function loadable({ origin, path }: Address): string {
  const isFile = /\.m?js$/i.test(path) && /^[\w./~%@+-]+$/.test(path)
  return isFile && companionsOf(origin).length === 0 ? origin + path : origin
}

function companionsOf(origin: string): string[] {
  return companions.flatMap(([of, also]) => (of.test(origin) ? also : []))
}

/** Their scripts come from one address and tell another. */
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
