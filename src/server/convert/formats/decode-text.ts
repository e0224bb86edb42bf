import { isUtf8 } from 'node:buffer'

/** Decodes text of unknown encoding: Unicode, or the legacy encodings of China, Japan, Korea and the west. */
export function decodeText(bytes: Uint8Array): { text: string; encoding: string } {
  const encoding = detectEncoding(bytes)
  return { encoding, text: new TextDecoder(encoding).decode(bytes) }
}

/** False for bytes with NULs outside of UTF-16, or with more than 1 % control characters. */
export function looksLikeText(sample: Uint8Array): boolean {
  if (encodingByBom(sample) || encodingByZeros(sample)) return true
  let controls = 0
  for (const byte of sample) {
    if (byte === 0) return false
    if (byte < 32 && !textControls.has(byte)) controls += 1
  }
  return controls * 100 <= sample.length
}

/** Tab, line feed, vertical tab, form feed, carriage return, DOS end of file, escape. */
const textControls = new Set([9, 10, 11, 12, 13, 26, 27])
const sampleBytes = 65_536

export function detectEncoding(bytes: Uint8Array): string {
  return (
    encodingByBom(bytes) ??
    encodingByZeros(bytes.subarray(0, sampleBytes)) ??
    (isMostlyUtf8(bytes) ? 'utf-8' : encodingByScore(bytes))
  )
}

function encodingByBom(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return undefined
}

/** UTF-16 without a byte order mark: there are zeros, and one byte order gives common characters. */
function encodingByZeros(sample: Uint8Array): string | undefined {
  if (!sample.includes(0)) return undefined
  const whole = sample.subarray(0, sample.length - (sample.length % 2))
  return ['utf-16le', 'utf-16be'].find((encoding) => {
    const text = new TextDecoder(encoding).decode(whole)
    const invalid = text.match(/[\ufffd\ue000-\uf8ff\ufff0-\uffff]|(?![\t-\r])\p{Cc}/gu)?.length ?? 0
    const common = text.match(/[\t\r\n -~\u3001-\u30fe\uac00-\ud7a3]/g)?.length ?? 0
    const chinese = Array.from(text).filter((char) => commonChinese.has(char)).length
    return invalid * 50 <= text.length && (common + chinese) * 3 >= text.length
  })
}

/** A few damaged bytes do not turn a long text into another encoding. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  if (isUtf8(bytes)) return true
  const text = new TextDecoder().decode(bytes.subarray(0, sampleBytes * 4))
  const invalid = text.match(/\ufffd/g)?.length ?? 0
  const nonAscii = text.match(/[\u0080-\ufffc]/g)?.length ?? 0
  return invalid * 50 < nonAscii
}

function encodingByScore(bytes: Uint8Array): string {
  const middle = Math.max(0, Math.floor(bytes.length / 2) - sampleBytes / 2)
  const samples = [bytes.subarray(0, sampleBytes), bytes.subarray(middle, middle + sampleBytes)]
  const scores = candidates.map(({ encoding, score }) => {
    const text = samples.map((sample) => new TextDecoder(encoding).decode(sample)).join('')
    return { encoding, score: score(text) }
  })
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).encoding
}

const simplified =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运章节，。、：；？！“”（）《》　'
const traditional =
  '這個們來為國說時會對於過發後裡種經麼學現當沒動還進樣從實軍無與長機業將兩間問並應戰頭體見產話給東聲員論處義認條氣題爾別變總電數報結場務計資許統區隊決馬書則聽卻達強難權設記類據邊張該規萬覺術領確傳師觀讓識帶導爭運節'
const commonSimplified = new Set(simplified)
const commonChinese = new Set(simplified + traditional)

/** Text in the right encoding has many common characters of its language, and few invalid ones. */
const candidates: { encoding: string; score: (text: string) => number }[] = [
  { encoding: 'gb18030', score: (text) => share(text, (char) => commonSimplified.has(char)) },
  { encoding: 'big5', score: (text) => share(text, (char) => commonChinese.has(char)) },
  { encoding: 'shift_jis', score: (text) => share(text, (char) => /[\u3041-\u30fe、。]/.test(char)) },
  { encoding: 'euc-kr', score: koreanShare },
  { encoding: 'windows-1252', score: westernShare },
]

/** The share of common characters among those beyond ASCII; invalid ones count against it. */
function share(text: string, isCommon: (char: string) => boolean): number {
  let score = 0
  let total = 0
  for (const char of text) {
    if (char <= '\x7f') continue
    total += 1
    if (isCommon(char)) score += 1
    else if (invalidChar.test(char)) score -= 4
  }
  return total === 0 ? 0 : score / total
}

const invalidChar = /[\ufffd\ue000-\uf8ff\uff61-\uff9f\u0080-\u009f\u{20000}-\u{3ffff}]/u

/** Chinese text decoded as Korean is more than half Hangul, but Korean text is nearly all Hangul. */
function koreanShare(text: string): number {
  return (share(text, (char) => /[\uac00-\ud7a3]/.test(char)) - 0.75) * 3.6
}

/** Accented letters occur singly among ASCII letters; two in a row are mostly halves of other characters. */
function westernShare(text: string): number {
  const accented = text.match(/[\u0080-\uffff]/g)?.length ?? 0
  const inWords = text.match(/(?<=[A-Za-z\s“‘(]|^)[\u00c0-\u00ff’“”‘–—…](?=[A-Za-z\s.,;:!?)]|$)/g)?.length ?? 0
  return accented === 0 ? 0.01 : (inWords / accented) * 0.8
}
