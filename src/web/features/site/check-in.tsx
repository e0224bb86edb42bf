import { CalendarCheck, CalendarPlus } from 'lucide-react'
import { ApiError } from '#shared/errors.ts'
import { dayWords, thanks } from '#web/features/site/check-in-words.ts'
import { checkIn, useCheckIn } from '#web/lib/check-in.ts'
import { useSite } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { MenuAction } from '#web/ui/dropdown-menu.tsx'
import { toast } from '#web/ui/toast.tsx'

/** On the member's card and in the drawer. */
export function CheckInButton({ size = 'md' }: { size?: 'sm' | 'md' }) {
  const { words, isDone, isBusy, Icon, sign } = useDay()
  return (
    <Button
      size={size}
      wide
      busy={isBusy}
      look={isDone ? 'quiet' : 'plain'}
      // Still there for the focus that has just pressed it.
      aria-disabled={isDone}
      className={isDone ? 'pointer-events-none' : ''}
      onClick={sign}
    >
      {!isBusy && <Icon size={16} aria-hidden />}
      {words}
    </Button>
  )
}

/** In the header's menu. */
export function CheckInCommand() {
  const { words, isDone, Icon, sign } = useDay()
  return (
    <MenuAction disabled={isDone} onSelect={sign} icon={<Icon size={16} className="text-muted" aria-hidden />}>
      {words}
    </MenuAction>
  )
}

function useDay() {
  const { signed, streak, isBusy } = useCheckIn()
  const { credit_name } = useSite().settings.system
  const sign = async () => {
    try {
      const done = await checkIn()
      if (done) toast(thanks(done.award, credit_name || '豆子'))
    } catch (error) {
      toast(error instanceof ApiError ? error.message : '签到没有成功，请稍后重试', 'danger')
    }
  }
  return {
    words: dayWords(signed, streak),
    isDone: signed,
    isBusy,
    Icon: signed ? CalendarCheck : CalendarPlus,
    sign: () => void sign(),
  }
}
