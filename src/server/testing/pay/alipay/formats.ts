export function yuan(fen: number): string {
  return (fen / 100).toFixed(2)
}

/** In Beijing. */
export function time(at: number): string {
  return new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}

/** Without the armour, as Alipay's tool hands keys out. */
export function bareKey(pem: string): string {
  return pem.replace(/-----[^-]+-----|\s/g, '')
}
