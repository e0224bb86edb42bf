import { CalendarCheck, CalendarPlus } from 'lucide-react'
import { checkInLabel, checkInMessage } from '#web/features/users/check-in/check-in-labels.ts'
import { checkIn, useCheckIn } from '#web/features/users/check-in/check-in.ts'
import { useCreditName } from '#web/domain/site.ts'
import { errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { MenuAction } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** For the account card and the drawer. */
export function CheckInButton({ size = 'md' }: { size?: 'sm' | 'md' }) {
  const { label, isDone, isBusy, Icon, submit } = useCheckInAction()
  return (
    <Button
      size={size}
      wide
      busy={isBusy}
      variant={isDone ? 'quiet' : 'plain'}
      // Not `disabled`: the button keeps the focus after the click.
      aria-disabled={isDone}
      className={isDone ? 'pointer-events-none' : ''}
      onClick={submit}
    >
      {!isBusy && <Icon size={16} aria-hidden />}
      {label}
    </Button>
  )
}

/** For the user menu of the header. */
export function CheckInCommand() {
  const { label, isDone, Icon, submit } = useCheckInAction()
  return (
    <MenuAction disabled={isDone} onSelect={submit} icon={<Icon size={16} className="text-muted" aria-hidden />}>
      {label}
    </MenuAction>
  )
}

function useCheckInAction() {
  const { hasCheckedIn, streak, isBusy } = useCheckIn()
  const creditName = useCreditName()
  const submit = async () => {
    try {
      const result = await checkIn()
      if (result) toast(checkInMessage(result.award, creditName, result.streak))
    } catch (error) {
      toast(errorMessage(error, '签到没有成功，请稍后重试'), 'danger')
    }
  }
  return {
    label: checkInLabel(hasCheckedIn, streak),
    isDone: hasCheckedIn,
    isBusy,
    Icon: hasCheckedIn ? CalendarCheck : CalendarPlus,
    submit: () => void submit(),
  }
}
