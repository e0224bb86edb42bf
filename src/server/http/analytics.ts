import sanitize from 'sanitize-html'

/** What the owner's statistics provider asks to be put on the pages. */
export interface Analytics {
  scripts: Script[]
  /** Whose scripts pages may load: those that the text names. */
  origins: string[]
  /** Whom pages may tell something: the same, and where well-known providers listen. */
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

function parse(text: string): Analytics {
  const scripts = (text.includes('<') && /<script|^\s*</i.test(text) ? tagged(text) : bare(text)).filter(isPlain)
  const named = scripts.flatMap(({ attributes: { src = '' }, code }) => [...originsIn(`"${src}"`), ...originsIn(code)])
  const origins = [...new Set(named)]
  const further = origins.flatMap((origin) => companions.flatMap(([of, also]) => (of.test(origin) ? also : [])))
  return { scripts, origins, listeners: [...new Set([...origins, ...further])] }
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
  if (src !== undefined && !/^\/(?!\/)/.test(src) && originsIn(`"${src}"`).length === 0) return false
  return !/<\/script/i.test(code) && !(code.includes('<!--') && /<script/i.test(code))
}

/** Written out, or without the protocol at the beginning of a quoted text, as snippets have it: then the page's own counts. */
function originsIn(code: string): string[] {
  const found = code.matchAll(/(?:(https?:)|(?<=["'`]))\/\/([\w-]+(?:\.[\w-]+)*(?::\d{1,5})?)(?![\w.:@-])/gi)
  return [...found].flatMap(([, protocol, host = '']) => {
    const url = URL.parse(`${protocol ?? 'https:'}//${host}`)
    if (!url) return []
    return protocol ? [url.origin] : [url.host]
  })
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
