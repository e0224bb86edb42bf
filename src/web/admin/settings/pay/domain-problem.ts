/** Why payment providers would not reach the site at its address; undefined if nothing is wrong with it. */
export function findDomainProblem(domain: string): string | undefined {
  if (domain === '') return '网站还没有填写域名：没有域名就不能在线支付。'
  const url = URL.parse(domain)
  if (!url) return '网站的域名写得不对，支付平台找不到它。'
  if (isPrivate(url.hostname)) return '网站的域名是内网地址：支付平台的通知送不到，只能靠询问得知付款。'
  if (url.protocol !== 'https:') return '网站的域名不是 https：支付平台要求通知地址用 https。'
  return url.port === '' ? undefined : '网站的域名带有端口：有的支付平台不向这样的地址送通知。'
}

function isPrivate(host: string): boolean {
  return (
    !/[.:]/.test(host) ||
    /^(127|10|0)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\./.test(host) ||
    /^\[(::1|f[cd]|fe80)/i.test(host) ||
    /\.(local|lan|internal|test)$/.test(host)
  )
}
