/** Where a known provider is asked, unless at its own address. */
export const gateway = { shape: 'link', help: '留空时使用官方地址' } as const
