/** Networks that take a link by an address of their own. WeChat has none: its users scan the QR code. */
export const networks = [
  {
    name: '微博',
    to: (url: string, title: string, pic?: string) =>
      `https://service.weibo.com/share/share.php?${new URLSearchParams({ url, title, ...(pic && { pic }) })}`,
  },
  {
    name: 'QQ',
    to: (url: string, title: string, pics?: string) =>
      `https://connect.qq.com/widget/shareqq/index.html?${new URLSearchParams({ url, title, ...(pics && { pics }) })}`,
  },
  {
    name: 'QQ 空间',
    to: (url: string, title: string, pics?: string) =>
      `https://sns.qzone.qq.com/cgi-bin/qzshare/cgi_qzshare_onekey?${new URLSearchParams({ url, title, ...(pics && { pics }) })}`,
  },
] as const

/** The HTML by which another site shows a document in a frame. */
export function embedCode(origin: string, uuid: string, title: string): string {
  const quoted = title.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<iframe src="${origin}/embed/${uuid}" title="${quoted}" width="100%" height="600" style="border:0" loading="lazy" allowfullscreen></iframe>`
}
