import { expect, test } from 'vitest'
import { embedCode, networks } from '#web/features/social/share/networks.ts'

test('links of networks carry address, title and picture, escaped', () => {
  const [weibo] = networks
  const link = new URL(weibo.to('https://a.example/document/1?page=2', '甲 & 乙', 'https://a.example/view/cover/x'))
  expect(Object.fromEntries(link.searchParams)).toEqual({
    url: 'https://a.example/document/1?page=2',
    title: '甲 & 乙',
    pic: 'https://a.example/view/cover/x',
  })
  expect(new URL(weibo.to('https://a.example/', '甲')).searchParams.has('pic')).toBe(false)
})

test('a title cannot leave the attribute of the frame', () => {
  const code = embedCode('https://a.example', 'ab12', '"><script>alert(1)</script>')
  expect(code).toContain('src="https://a.example/embed/ab12"')
  expect(code).not.toContain('<script')
  expect(code).toContain('title="&quot;>')
})
