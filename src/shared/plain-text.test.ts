import { describe, expect, test } from 'vitest'
import { plainLine } from './plain-text.ts'

describe('a line of plain text', () => {
  test.each([
    ['is kept as it is', '水的沸点 — H₂O & <b>', '水的沸点 — H₂O & <b>'],
    ['has no surrounding spaces and no line breaks', ' 一\t二\r\n\u2028三  四 ', '一 二 三 四'],
    ['has no bidirectional overrides', 'a\u202eb\u2066c\u200fd\u061c', 'abcd'],
    ['has no invisible characters', 'a\u200bb\u2060c\ufeffd\0', 'abcd'],
    ['keeps joined emoji', '👩\u200d🔬', '👩\u200d🔬'],
    ['keeps accents, but not hundreds on one letter', `e\u0301${'\u0301'.repeat(100)}x`, `e${'\u0301'.repeat(8)}x`],
  ])('%s', (_name, text, line) => {
    expect(plainLine(text)).toBe(line)
    expect(plainLine(line)).toBe(line)
  })

  test.each(['', '  ', '\u200b', '\u200d\u200c', '\u202e', '\u3164', '\u2800\u115f', '\u0301', '\u00ad'])(
    'is empty where nothing is visible: %j',
    (text) => expect(plainLine(text)).toBe(''),
  )
})
