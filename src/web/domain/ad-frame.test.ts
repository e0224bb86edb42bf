import { expect, test } from 'vitest'
import { adHeight } from '#web/domain/ad-frame.ts'

test.each([
  ['<a href="/x">看一看</a>', 90],
  ['<img src="/uploads/a.png" width="728" height="60">', 60],
  ['<div style="height: 120px">x</div>', 120],
  ['<img height=9999>', 600],
  ['<img height="0">', 90],
  ['<img height="100%">', 90],
  ['<p style="line-height: 20px; max-height: 30px; min-height:40px">x</p>', 90],
  ['<p style="line-height: 20px; height: 120px">x</p>', 120],
  ['<p style="height: 60.5px">x</p>', 90],
  ['<p style="height: 12em">x</p>', 90],
])('%s', (content, height) => {
  expect(adHeight(content)).toBe(height)
})
