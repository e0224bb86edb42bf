export function checkInLabel(hasCheckedIn: boolean, streak: number): string {
  const days = streak > 0 ? ` · 连续 ${streak} 天` : ''
  return (hasCheckedIn ? '今日已签到' : '每日签到') + days
}

export function checkInMessage(award: number, creditName: string): string {
  return award > 0 ? `签到成功，获得 ${award} 个${creditName}` : '签到成功'
}
