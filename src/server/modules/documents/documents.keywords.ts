const mostWords = 10
const longest = 255

/** However people separate keywords, commas do. */
export function cleanKeywords(given: string): string {
  return joined(given.split(/[,，、;；|\n]+/))
}

/** What a title is about, for who gave no keywords. Without the dictionary there are none. */
export async function keywordsIn(title: string): Promise<string> {
  const cut = await segmenter()
  const words = cut?.(title) ?? []
  return joined(words.filter(isTelling).slice(0, mostWords))
}

let loading: Promise<((text: string) => string[]) | undefined> | undefined

/** The dictionary takes a while and some memory: it is loaded when the first title comes. */
function segmenter() {
  loading ??= load().catch(() => undefined)
  return loading
}

async function load() {
  const [{ Jieba }, { dict }] = await Promise.all([import('@node-rs/jieba'), import('@node-rs/jieba/dict.js')])
  const jieba = Jieba.withDict(dict)
  return (text: string) => jieba.cut(text, true)
}

function isTelling(word: string): boolean {
  return word.length > 1 && /\p{L}/u.test(word) && !fillers.has(word)
}

const fillers = new Set([
  '以及',
  '关于',
  '我们',
  '一个',
  '一种',
  '这个',
  '进行',
  '有关',
  '如何',
  '什么',
  '其他',
  '附件',
  'the',
  'and',
  'for',
  'with',
])

function joined(words: readonly string[]): string {
  const unique = [...new Set(words.map((word) => word.trim()).filter(Boolean))]
  let text = ''
  for (const word of unique) {
    const longer = text ? `${text},${word}` : word
    if (longer.length > longest) break
    text = longer
  }
  return text
}
