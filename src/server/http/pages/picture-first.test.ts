import { expect, test } from 'vitest'
import { pictureFirst } from './picture-first.ts'

const scripts =
  '<script nonce="n" type="module" async="">import "/assets/a.js"</script><script nonce="n">data()</script>'
const preload = '<link rel="modulepreload" href="/assets/a.js"/>'

test('the scripts of a page with an urgent picture wait for it', () => {
  const html = pictureFirst(`<head>${preload}</head><img src="1.svg" fetchPriority="high"/>${scripts}`, 'n')
  expect(html).toContain('<link rel="delayed-modulepreload" href="/assets/a.js"/>')
  expect(html).toMatch(
    /<script nonce="n" type="text\/plain">import "\/assets\/a\.js"<\/script><script nonce="n">\(function/,
  )
  expect(html.endsWith('<script nonce="n">data()</script>')).toBe(true)
})

test.each([`${preload}<img src="1.svg"/>${scripts}`, `${preload}<img src="1.svg" fetchPriority="high"/>`])(
  'a page without an urgent picture or without scripts stays as it is: %s',
  (html) => {
    expect(pictureFirst(html, 'n')).toBe(html)
  },
)
