import { expect, test } from 'vitest'
import { toCsvLine } from './csv.ts'

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1'])('%j is no formula', (value) => {
  expect(toCsvLine([value]).replaceAll('"', '').startsWith("'")).toBe(true)
})

test('a comma, a quote and a line break stay in their cell', () => {
  expect(toCsvLine(['甲,乙', '说“好”"了"', '一\n二', ''])).toBe('"甲,乙","说“好”""了""","一\n二",\r\n')
})
