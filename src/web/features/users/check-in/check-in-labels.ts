export function checkInLabel(hasCheckedIn: boolean, streak: number): string {
  const days = streak > 0 ? ` · 连续 ${streak} 天` : ''
  return (hasCheckedIn ? '今日已签到' : '每日签到') + days
}

/** Some days in a row are worth a word. */
export function checkInMessage(award: number, creditName: string, streak: number): string {
  const message = award > 0 ? `签到成功，获得 ${award} 个${creditName}` : '签到成功'
  const praise = praises[streak]
  return praise ? `${message}。${praise}` : message
}

/** Days in a row that are worth a word and a picture. */
export function isMilestone(streak: number): boolean {
  return Object.hasOwn(praises, streak)
}

/** How far the bean has grown. */
export function milestonesReached(streak: number): number {
  return Object.keys(praises).filter((days) => streak >= Number(days)).length
}

const praises: Partial<Record<number, string>> = {
  3: '连续三天，种子发芽了',
  7: '连续一周，长出了新叶',
  30: '连续一个月，已经成荫',
  100: '连续一百天，谢谢您一直在',
  365: '连续一年，这里有您的一片林子',
}
