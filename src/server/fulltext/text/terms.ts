import { fold } from './fold.ts'
import { splitRuns } from './tokenize.ts'

/** What a query asks about, without the words around it: 请问怎么写辞职报告 asks about 辞职 and 报告. */
export interface QueryTerms {
  /** What stands between spaces and words without content: 辞职报告. */
  pieces: string[]
  /** The words of the pieces: 辞职, 报告. */
  terms: string[]
}

const maxTerms = 8

export function toQueryTerms(typed: string): QueryTerms {
  const pieces: string[] = []
  const terms: string[] = []
  for (const part of typed.split(/\s+/u)) {
    let piece = ''
    const endPiece = () => {
      if (piece !== '') pieces.push(piece)
      piece = ''
    }
    for (const run of splitRuns(fold(part))) {
      if (run.isWord) {
        piece += run.text
        if (!stopWords.has(run.text)) terms.push(run.text)
        continue
      }
      const words = segment(run.text)
      terms.push(...toTerms(words))
      for (const word of words) {
        if (stopWords.has(word)) endPiece()
        else piece += word
      }
    }
    endPiece()
  }
  return { pieces: distinct(pieces), terms: distinct(terms).slice(0, maxTerms) }
}

/** The words of a text in Chinese, by the dictionary of the runtime. */
export function segment(text: string): string[] {
  return Array.from(segmenter.segment(text), (part) => part.segment)
}

const segmenter = new Intl.Segmenter('zh-CN', { granularity: 'word' })

/**
 * Single characters in a row are a word that the dictionary does not know, such as a name or a typing error; a lone one
 * says too little.
 */
function toTerms(words: readonly string[]): string[] {
  const terms: string[] = []
  let unknown = ''
  const endUnknown = () => {
    if (unknown.length > 1) terms.push(unknown)
    unknown = ''
  }
  for (const word of words) {
    if (word.length === 1 && !stopWords.has(word)) unknown += word
    else {
      endUnknown()
      if (!stopWords.has(word)) terms.push(word)
    }
  }
  endUnknown()
  return terms
}

function distinct(list: readonly string[]): string[] {
  return [...new Set(list)]
}

/** Whether it has words of asking. */
export function isQuestion(typed: string): boolean {
  return questionWords.some((word) => typed.includes(word))
}

const questionWords = (
  '怎么 怎么样 怎样 怎么办 如何 什么 什么样 是什么 为什么 为何 啥 咋 请问 谁 哪 哪些 哪个 哪里 哪儿 多少 ' +
  '有没有 是不是 能不能 可不可以 吗 呢'
).split(' ')

/** Words of questions and requests, and particles, as the dictionary splits them. */
export const stopWords = new Set([
  ...questionWords,
  ...(
    '请 求 几 可以 能 能够 会 应该 应 该 要 想 想要 需要 我 我们 你 您 他 她 它 自己 大家 帮 帮忙 给 找 找到 ' +
    '一下 一个 一种 一份 一篇 一些 这 这个 那 那个 这些 那些 有 是 的 地 得 了 着 过 吧 啊 呀 嘛 么 和 与 及 或 以及 跟 同 ' +
    '在 把 被 让 从 到 对 对于 关于 有关 为 为了 写 做 学 看 用 去 来 上 下 中 里 好 比较 最 更 很 太 都 也 就 才 还 又 不 没 没有 ' +
    '时候 时 时需 方面 有关于 相关 东西 介绍 讲 讲讲 说说 说 告诉 知道 了解 ' +
    'the a an of to in on for and or is are how what why do does can i you me my with about'
  ).split(' '),
])
