import { fold } from './fold.ts'
import { segment, stopWords } from './terms.ts'

/** Neighbouring words that may be a keyword together. */
export interface Phrase {
  text: string
  folded: string
  times: number
}

const maxWords = 3
const maxLength = 8
const minTimes = 3
/** A word of the title counts as often as one that the text repeats. */
const titleTimes = 2
const isNumeral = /^[一二三四五六七八九十百千万两几半第零]/u

/** Words and phrases of a text that it repeats or has in its title, most frequent first. */
export function collectPhrases(title: string, texts: readonly string[]): Phrase[] {
  const phrases = new Map<string, Phrase>()
  const whole = fold(title)
  const count = (text: string, weight: number) => {
    for (const { phrase, words } of phrasesOf(text)) {
      const folded = fold(phrase)
      // Two neighbours in a title are not yet a term.
      const times = words > 1 ? 1 : weight
      const known = phrases.get(folded)
      if (known) known.times += times
      else if (folded !== whole) phrases.set(folded, { text: phrase, folded, times })
    }
  }
  count(title, titleTimes)
  for (const text of texts) count(joinLines(text), 1)
  return [...phrases.values()].filter(({ times }) => times >= minTimes).toSorted((a, b) => b.times - a.times)
}

/** Text from a page has line breaks inside words. */
function joinLines(text: string): string {
  return text.replace(/(?<=\p{Script=Han})\s+(?=\p{Script=Han})/gu, '')
}

function* phrasesOf(text: string): Generator<{ phrase: string; words: number }> {
  for (const part of text.split(/[^\p{L}\p{N}+#.'-]+/u)) {
    const words = segment(part)
    for (let from = 0; from < words.length; from++) {
      let phrase = ''
      for (let to = from; to < Math.min(words.length, from + maxWords); to++) {
        const word = words[to] ?? ''
        if (!isContent(word)) break
        phrase += word
        const count = to - from + 1
        if (isKeyword(phrase, count)) yield { phrase, words: count }
      }
    }
  }
}

function isContent(word: string): boolean {
  return /^\p{L}+$/u.test(word) && !isNumeral.test(word) && !stopWords.has(word.toLowerCase()) && !commonWords.has(word)
}

/** Hanzi of two characters or more; a Latin word alone. */
function isKeyword(phrase: string, words: number): boolean {
  if (/^\p{Script=Han}+$/u.test(phrase)) return phrase.length > 1 && phrase.length <= maxLength
  return words === 1 && phrase.length > 2 && phrase.length <= 24
}

/** Words of any text, which say nothing about it; numerals and units too. */
const commonWords = new Set(
  (
    '因为 所以 如果 但是 然后 而且 并且 不过 虽然 由于 因此 于是 以后 以前 之后 之前 之间 之一 其中 其他 其它 其实 另外 以上 以下 ' +
    '进行 使用 通过 根据 按照 采用 利用 具有 包括 分为 成为 作为 属于 得到 发现 出现 形成 产生 提出 提高 增加 减少 完成 开始 继续 ' +
    '可能 已经 正在 必须 不能 不会 不要 不得 应当 一定 一直 一起 一样 一般 一次 一点 一步 非常 十分 特别 尤其 主要 重要 基本 ' +
    '时间 地方 部分 情况 问题 方式 内容 作用 结果 过程 工作 今天 现在 当时 最后 首先 其次 同时 每天 每次 第一 第二 第三 两个 几个 ' +
    '小时 分钟 上午 下午 早上 晚上 中午 星期 周末 百分 百分之 分之 写给 走过 出发 失败 名字 数字 回到 看到 听到 想到 放在 加上 打开 ' +
    '我们 他们 自己 别人 人们 大家 附件 见附 如下 如图 下图 上图 图中 表中 本文 本章 本节 本书 页 章 节 条 款 ' +
    '一 二 三 四 五 六 七 八 九 十 百 千 万 两 年 月 日 个 份 次 第 多 少 大 小 后 前 内 外 者 等 各 每 某 本 该 此 其 所 以 而 但 则 ' +
    'this that these those from have has had was were will would not but they their there which when where who all any one two'
  ).split(' '),
)
