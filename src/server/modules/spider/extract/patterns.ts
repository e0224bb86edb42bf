import { domainToASCII } from 'node:url'
import { ExtractError } from './extract-error.ts'

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
  if (expression) return isWellFormed(expression) ? undefined : '正则表达式有语法错误，请检查括号和反斜杠'
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

/** The place of the first pattern that matches; -1 for none. */
export function firstMatches(patterns: readonly string[], urls: readonly URL[]): number[] {
  const matchers = patterns.map((pattern) => compilePattern(pattern.trim()))
  return urls.map((url) => matchers.findIndex((matches) => matches(url)))
}

/** Matches what any of the patterns matches. */
export function compilePatterns(patterns: readonly string[]): Matcher {
  const matchers = patterns.map((pattern) => compilePattern(pattern.trim()))
  return (url) => matchers.some((matches) => matches(url))
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

function compilePattern(text: string): Matcher {
  const expression = parseExpression(text)
  return expression ? compileExpression(expression) : compileGlob(text)
}

function compileExpression({ source, flags }: Expression): Matcher {
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

function compileGlob(glob: string): Matcher {
  const parsed = parseGlob(asSent(glob).toLowerCase())
  const subjects = subjectsOf(glob)
  return (url) => subjects(url).some((subject) => matchesGlob(parsed, subject.toLowerCase()))
}

function subjectsOf(glob: string): (url: URL) => string[] {
  if (glob.startsWith('/')) return ({ pathname, search }) => [pathname + search]
  if (glob.includes('://')) return ({ href }) => [href]
  if (glob.includes('/') || glob.includes('**')) return ({ host, pathname, search }) => [host + pathname + search]
  return ({ host, pathname, search }) => [host, pathname.slice(pathname.lastIndexOf('/') + 1) + search]
}

/** Owners write Chinese as they read it; addresses carry it escaped, and host names as Punycode. */
function asSent(glob: string): string {
  const [, scheme = '', host = '', rest = ''] = /^([^/]*:\/\/)?([^/]*)(.*)$/s.exec(glob) ?? []
  const named = /\P{ASCII}/u.test(host) && !/[*?]/.test(host) ? domainToASCII(host) || host : host
  return (scheme + named + rest).replace(/\P{ASCII}+/gu, encodeURIComponent)
}

const anyChar = Symbol('?')
const anyChars = Symbol('*')
const anything = Symbol('**')
/** `**` and a slash are two tokens: the choice between folders and none, and the folders with their last slash. */
const foldersOrNone = Symbol('**/')
const folders = Symbol('folders')
type Token = string | typeof anyChar | typeof anyChars | typeof anything | typeof foldersOrNone | typeof folders

interface Glob {
  /** What it begins with, compared at once: most addresses fail here. */
  prefix: string
  tokens: Token[]
}

function parseGlob(glob: string): Glob {
  const start = glob.search(/[*?]/)
  const prefix = start < 0 ? glob : glob.slice(0, start)
  const tokens = Array.from(glob.matchAll(/(?<=^|\/)\*{2,}\/|\*+|[^*]/g)).flatMap(({ 0: part, index }): Token[] => {
    if (index < prefix.length) return []
    if (part === '?') return [anyChar]
    if (part === '*') return [anyChars]
    if (!part.startsWith('*')) return [part]
    return part.endsWith('/') ? [foldersOrNone, folders] : [anything]
  })
  return { prefix, tokens }
}

/**
 * Follows all ways to match at once, so that the time is linear in the address, however many stars there are. A state is
 * the number of tokens that have been matched.
 */
function matchesGlob({ prefix, tokens }: Glob, text: string): boolean {
  if (!text.startsWith(prefix)) return false
  let states = new Set<number>()
  enter(tokens, 0, states)
  for (const char of text.slice(prefix.length)) {
    const next = new Set<number>()
    for (const state of states) step(tokens, state, char, next)
    if (next.size === 0) return false
    states = next
  }
  return states.has(tokens.length)
}

function step(tokens: readonly Token[], state: number, char: string, next: Set<number>): void {
  const token = tokens[state]
  if (token === anything || token === folders) enter(tokens, state, next)
  if (token === folders && char === '/') enter(tokens, state + 1, next)
  if (token === anyChars && char !== '/') enter(tokens, state, next)
  if (token === char || (token === anyChar && char !== '/')) enter(tokens, state + 1, next)
}

/** A star may stand for nothing: the state behind it is reached with it. */
function enter(tokens: readonly Token[], state: number, states: Set<number>): void {
  if (states.has(state)) return
  states.add(state)
  const token = tokens[state]
  if (token === anyChars || token === anything) enter(tokens, state + 1, states)
  if (token !== foldersOrNone) return
  enter(tokens, state + 1, states)
  enter(tokens, state + 2, states)
}
