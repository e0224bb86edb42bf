import { describe, expect, test } from 'vitest'
import { plainLine } from './plain-text.ts'

describe('a line as people read it', () => {
  test.each([
    ['as it is', '水的沸点 — H₂O & <b>', '水的沸点 — H₂O & <b>'],
    ['without spaces around it and line ends in it', ' 一\t二\r\n\u2028三  四 ', '一 二 三 四'],
    ['without what turns its direction', 'a\u202eb\u2066c\u200fd\u061c', 'abcd'],
    ['without what nobody sees', 'a\u200bb\u2060c\ufeffd\0', 'abcd'],
    ['with emoji in one piece', '👩\u200d🔬', '👩\u200d🔬'],
    ['with accents, but no tower of them', `e\u0301${'\u0301'.repeat(100)}x`, `e${'\u0301'.repeat(8)}x`],
  ])('%s', (_name, given, line) => {
    expect(plainLine(given)).toBe(line)
    expect(plainLine(line)).toBe(line)
  })

  test.each(['', '  ', '\u200b', '\u200d\u200c', '\u202e', '\u3164', '\u2800\u115f', '\u0301', '\u00ad'])(
    'nothing, where there is nothing to see: %j',
    (given) => expect(plainLine(given)).toBe(''),
  )
})
