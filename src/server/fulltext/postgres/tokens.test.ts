import { expect, test } from 'vitest'
import { fold } from '../text/fold.ts'
import { hashToken } from '../text/token-hash.ts'
import { tokenize } from '../text/tokenize.ts'
import { addTokens } from './tokens.ts'

test('PostgreSQL indexes a text by the same tokens as SQLite', () => {
  for (const text of [
    '天地玄黄，宇宙洪荒。',
    'Node.js 與 C++20：Object.freeze() 不會複製物件',
    '𠮷野家的 𠮷 \ud800 lone',
    'x'.repeat(100),
    '',
  ]) {
    const folded = fold(text)
    const { page, entry, words } = tokenize(folded)
    const tokens = new Set<number>()
    expect(addTokens(folded, tokens), text).toEqual(words)
    expect(tokens, text).toEqual(new Set([...page, ...entry].map((token) => hashToken(token))))
  }
})
