export function dayWords(signed: boolean, streak: number): string {
  const row = streak > 0 ? ` · 连续 ${streak} 天` : ''
  return (signed ? '今日已签到' : '每日签到') + row
}

export function thanks(award: number, coin: string): string {
  return award > 0 ? `签到成功，获得 ${award} 个${coin}` : '签到成功'
}
