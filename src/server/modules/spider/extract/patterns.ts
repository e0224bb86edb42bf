import { domainToASCII } from 'node:url'
import { ExtractError } from './extract-error.ts'
import { globMatcher } from './glob.ts'

/**
 * A pattern is a glob or, written `/…/` or `/…/i` as in JavaScript, a regular expression.
 *
 * A glob ignores case; `*` stands for any characters but `/`, `**` for any characters, `**` and a slash for any folders or
 * none, `?` for one character but `/`. It has to match from end to end: path and query when it begins with `/`; the whole
 * address when it has a scheme; the host, or the last segment of path and query, when it has neither a slash nor `**`;
 * otherwise the address without its scheme. A regular expression is searched for in the whole address, as it is sent and
 * as browsers show it.
 *
 * Regular expressions may take for ever: they run in the extractor's thread alone.
 */
export type Matcher = (url: URL) => boolean

const maxPatternLength = 500

/** What is wrong with a pattern, for the form that it was written in. */
export function validatePattern(text: string): string | undefined {
  if (text.trim() === '') return '请填写地址规则'
  if (text.length > maxPatternLength) return `地址规则不能超过 ${maxPatternLength} 个字符`
  const expression = parseExpression(text)
  if (expression) return findExpressionProblem(text, expression)
  if (hasOtherFlags(text)) return '正则表达式的标志只能是 i（不区分大小写）'
  if (/\s/.test(text.trim())) return '地址规则不能含有空格，每行只写一条'
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text) && !/^(?:https?|\*):\/\//i.test(text))
    return '地址只能以 http:// 或 https:// 开头'
  const [host = ''] = text.split('/')
  if (!text.includes('://') && host !== '' && !/[.*?:]|^localhost$/i.test(host)) {
    return '地址规则要以 / 开头，或写出网站的域名，例如 /docs/** 或 www.example.com/docs/**'
  }
  return undefined
}

/** For each address, the place of the first pattern that matches; -1 for none. */
export function firstMatches(patterns: readonly string[], urls: readonly URL[]): number[] {
  const matchers = patterns.map((pattern) => compilePattern(pattern.trim()))
  return urls.map((url) => {
    const address = addressOf(url)
    return matchers.findIndex((matches) => matches(address))
  })
}

/** Matches what any of the patterns matches. */
export function compilePatterns(patterns: readonly string[]): Matcher {
  const matchers = patterns.map((pattern) => compilePattern(pattern.trim()))
  if (matchers.length === 0) return () => false
  return (url) => {
    const address = addressOf(url)
    return matchers.some((matches) => matches(address))
  }
}

/** An address in the parts that patterns are compared with, in lower case but for the first. */
interface Address {
  href: string
  whole: string
  host: string
  /** With the query. */
  path: string
  /** The last segment of the path, with the query. */
  file: string
}

type AddressMatcher = (address: Address) => boolean

function addressOf({ href, host, pathname, search }: URL): Address {
  const path = (pathname + search).toLowerCase()
  return { href, whole: href.toLowerCase(), host, path, file: path.slice(pathname.lastIndexOf('/') + 1) }
}

interface Expression {
  source: string
  flags: string
}

const literalPattern = /^\/((?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+)\/([a-z]*)$/

/** `/…/` or `/…/i`, where a slash inside is escaped or in brackets; anything else, as `/docs/list`, is a glob. */
function parseExpression(text: string): Expression | undefined {
  const [, source, flags] = literalPattern.exec(text.trim()) ?? []
  return source !== undefined && (flags === '' || flags === 'i') ? { source, flags } : undefined
}

function findExpressionProblem(text: string, expression: Expression): string | undefined {
  // As an expression it would be found anywhere in the address; what is meant is a folder.
  if (expression.flags === '' && /^[\w.-]+$/.test(expression.source))
    return `${text} 会被当作正则表达式；要写目录请用 ${text}**，要写正则请加上 i，如 ${text}i`
  return isWellFormed(expression) ? undefined : '正则表达式有语法错误，请检查括号和反斜杠'
}

/** A regular expression with other flags would be taken for a path. */
function hasOtherFlags(text: string): boolean {
  const [, source = '', flags = ''] = literalPattern.exec(text.trim()) ?? []
  return /^[dgimsuvy]+$/.test(flags) && /[\\^$()[\]{}|+]/.test(source)
}

function isWellFormed({ source, flags }: Expression): boolean {
  try {
    return Boolean(new RegExp(source, flags))
  } catch {
    return false
  }
}

function compilePattern(text: string): AddressMatcher {
  const expression = parseExpression(text)
  return expression ? compileExpression(expression) : compileGlob(text)
}

function compileExpression({ source, flags }: Expression): AddressMatcher {
  const expression = guarded(() => new RegExp(source, flags))
  // An expression is compiled where it first runs, and may turn out to be too large.
  return ({ href }) => guarded(() => expression.test(href) || (href.includes('%') && expression.test(readable(href))))
}

function guarded<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new ExtractError('bad_rule', { cause: error })
  }
}

function readable(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}

function compileGlob(glob: string): AddressMatcher {
  const matches = globMatcher(asSent(glob).toLowerCase())
  if (glob.startsWith('/')) return ({ path }) => matches(path)
  if (glob.includes('://')) return ({ whole }) => matches(whole)
  if (glob.includes('/') || glob.includes('**')) return ({ host, path }) => matches(host + path)
  return ({ host, file }) => matches(host) || matches(file)
}

/** Owners write Chinese as they read it; addresses carry it escaped, and host names as Punycode. */
function asSent(glob: string): string {
  const [, scheme = '', host = '', rest = ''] = /^([^/]*:\/\/)?([^/]*)(.*)$/s.exec(glob) ?? []
  const named = /\P{ASCII}/u.test(host) && !/[*?]/.test(host) ? domainToASCII(host) || host : host
  return (scheme + named + rest).toWellFormed().replace(/\P{ASCII}+/gu, encodeURIComponent)
}
