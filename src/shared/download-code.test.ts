import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { codeAlphabet, createDownloadCode, readDownloadCode } from './download-code.ts'

const created = Array.from({ length: 50 }, () => createDownloadCode(randomInt))
const plain = created.map((code) => code.replaceAll('-', ''))

describe('a download code', () => {
  test('has 16 characters in groups of four, none of which looks like another', () => {
    for (const code of created) expect(code).toMatch(/^[2-9A-HJKMNP-Z]{4}(-[2-9A-HJKMNP-Z]{4}){3}$/)
    expect(new Set(created).size).toBe(created.length)
  })

  test('is read in any case and grouping, also from a Chinese keyboard', () => {
    const [[code = ''], [expected = '']] = [created, plain]
    const fullWidth = expected.replaceAll(/./g, (character) =>
      String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0),
    )
    for (const typed of [
      code,
      expected,
      code.toLowerCase(),
      ` ${code.replaceAll('-', ' ')} `,
      fullWidth,
      code.replaceAll('-', '－'),
    ])
      expect(readDownloadCode(typed), typed).toBe(expected)
  })

  test('tells every change of one character', () => {
    const changed = plain.flatMap((code) =>
      Array.from(code, (character, at) =>
        Array.from(`${codeAlphabet}0O1IL中`)
          .filter((other) => other !== character)
          .map((other) => code.slice(0, at) + other + code.slice(at + 1)),
      ).flat(),
    )
    expect(changed.length).toBeGreaterThan(20_000)
    expect(changed.filter((typed) => readDownloadCode(typed) !== undefined)).toEqual([])
  })

  test('tells every exchange of neighbours', () => {
    const swapped = plain.flatMap((code) =>
      Array.from(code.slice(1), (right, at) => code.slice(0, at) + right + code.slice(at, at + 1) + code.slice(at + 2)),
    )
    const changed = swapped.filter((typed) => !plain.includes(typed))
    expect(changed.length).toBeGreaterThan(600)
    expect(changed.filter((typed) => readDownloadCode(typed) !== undefined)).toEqual([])
  })

  test('tells a missing and an additional character', () => {
    for (const code of created)
      for (const typed of [code.slice(1), code.slice(0, -1), `${code}2`, `2${code}`, ''])
        expect(readDownloadCode(typed)).toBeUndefined()
  })
})
