import { createHash } from 'node:crypto'
import { escapeHtml } from '#shared/escape-html.ts'

interface PlainPage {
  /** Empty if it is not known. */
  sitename: string
  title: string
  text: string
}

/** Polls the site, and reloads the requested page when it answers again. */
const reloadWhenReady = `
const poll = () => fetch('/readyz', { cache: 'no-store' }).then(({ ok }) => ok ? location.reload() : retry(), retry)
const retry = () => setTimeout(poll, 3000)
if (location.pathname !== '/offline') retry()
`

const scriptHash = createHash('sha256').update(reloadWhenReady).digest('base64')

export const plainPageHeaders = {
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-cache',
  'x-robots-tag': 'noindex',
}

/** For when the site's own pages cannot be had. Self-contained; the empty link reloads what the visitor requested. */
export function renderPlainPage({ sitename, title, text }: PlainPage): string {
  const name = escapeHtml(sitename)
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${[escapeHtml(title), name].filter(Boolean).join(' – ')}</title>
<style>
:root{--canvas:#fafaf8;--ink:#1b1f1d;--muted:#5d6561;--line:#d9dcd9;--on:#fff;--accent:#1b1f1d}
@media (prefers-color-scheme:dark){:root{--canvas:#131514;--ink:#e7eae8;--muted:#a6ada9;--line:#3a403d;--on:#131514;--accent:#e7eae8}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:24px;background:var(--canvas);color:var(--ink);font:16px/1.7 "PingFang SC","HarmonyOS Sans SC","Microsoft YaHei","Noto Sans CJK SC",system-ui,sans-serif}
main{width:100%;max-width:480px}
svg{display:block;color:var(--muted)}
h1{margin:24px 0 8px;font-size:26px;line-height:1.3}
p{margin:0;color:var(--muted)}
nav{display:flex;flex-wrap:wrap;gap:12px;margin-top:28px}
a{min-height:44px;padding:8px 24px;border:1px solid var(--line);border-radius:8px;color:inherit;text-decoration:none}
a:first-child{border-color:var(--accent);background:var(--accent);color:var(--on)}
a:focus-visible{outline:2px solid var(--ink);outline-offset:3px}
footer{margin-top:40px;color:var(--muted);font-size:14px}
</style>
</head>
<body>
<main>
<svg width="144" height="99" viewBox="0 0 128 88" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M4 70c22 2 14-26 32-26M58 38h8M58 50h8M92 44c18 0 10 26 32 24"/><path stroke-width="1.5" d="M36 32h10a12 12 0 0 1 0 24H36zM92 32H82a12 12 0 0 0 0 24h10z"/><path stroke="var(--accent)" d="M70 24V14M60 26l-5-8M80 26l5-8"/></svg>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<nav aria-label="可以做的"><a href="">重试</a><a href="/">返回首页</a></nav>
<footer>${name}</footer>
</main>
<script>${reloadWhenReady}</script>
</body>
</html>
`
}
