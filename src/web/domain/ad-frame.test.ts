import { expect, test } from 'vitest'
import { adMessages } from '#shared/ad-frame.ts'
import { adHeight, reportedHeight } from '#web/domain/ad-frame.ts'

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

test.each([
  [{ type: adMessages.height, height: 120.2 }, 121],
  [{ type: adMessages.height, height: 1_000_000 }, 600],
  [{ type: adMessages.height, height: -5 }, 0],
  [{ type: adMessages.height, height: Number.NaN }, undefined],
  [{ type: adMessages.height, height: '120' }, undefined],
  [{ type: adMessages.height }, undefined],
  [{ type: 'other', height: 120 }, undefined],
  ['120', undefined],
  [null, undefined],
])('the message %o reports a height of %s', (message, height) => {
  expect(reportedHeight(message)).toBe(height)
})
