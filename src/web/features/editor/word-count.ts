/** Counts each Chinese character and punctuation mark, and each word or number of other scripts. */
export function countWords(text: string): number {
  return text.match(wordPattern)?.length ?? 0
}

const wide = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\u3000-\u303f\uff00-\uffef`
const wordPattern = new RegExp(String.raw`[${wide}]|[^\s${wide}]+`, 'gu')
