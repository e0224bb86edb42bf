import { CalendarCheck, CalendarPlus } from 'lucide-react'
import { ApiError } from '#shared/errors.ts'
import { checkInLabel, checkInMessage } from '#web/features/users/check-in/check-in-words.ts'
import { checkIn, useCheckIn } from '#web/features/users/check-in/check-in.ts'
import { useSite } from '#web/domain/site.ts'
import { Button } from '#web/ui/button.tsx'
import { MenuAction } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** For the account card and the drawer. */
export function CheckInButton({ size = 'md' }: { size?: 'sm' | 'md' }) {
  const { label, isDone, isBusy, Icon, sign } = useCheckInAction()
  return (
    <Button
      size={size}
      wide
      busy={isBusy}
      variant={isDone ? 'quiet' : 'plain'}
      // Not `disabled`: the button keeps the focus after the click.
      aria-disabled={isDone}
      className={isDone ? 'pointer-events-none' : ''}
      onClick={sign}
    >
      {!isBusy && <Icon size={16} aria-hidden />}
      {label}
    </Button>
  )
}

/** For the user menu of the header. */
export function CheckInCommand() {
  const { label, isDone, Icon, sign } = useCheckInAction()
  return (
    <MenuAction disabled={isDone} onSelect={sign} icon={<Icon size={16} className="text-muted" aria-hidden />}>
      {label}
    </MenuAction>
  )
}

function useCheckInAction() {
  const { signed, streak, isBusy } = useCheckIn()
  const { credit_name } = useSite().settings.system
  const sign = async () => {
    try {
      const result = await checkIn()
      if (result) toast(checkInMessage(result.award, credit_name || '豆子'))
    } catch (error) {
      toast(error instanceof ApiError ? error.message : '签到没有成功，请稍后重试', 'danger')
    }
  }
  return {
    label: checkInLabel(signed, streak),
    isDone: signed,
    isBusy,
    Icon: signed ? CalendarCheck : CalendarPlus,
    sign: () => void sign(),
  }
}
