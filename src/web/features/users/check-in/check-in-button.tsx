import { CalendarCheck, CalendarPlus } from 'lucide-react'
import {
  checkInLabel,
  checkInMessage,
  isMilestone,
  milestonesReached,
} from '#web/features/users/check-in/check-in-labels.ts'
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

/** Some days in a row are worth a picture of the bean that has grown. */
async function celebrate(message: string, streak: number): Promise<void> {
  // Without a network for the picture, the words are enough.
  const drawings = isMilestone(streak) ? await import('#web/ui/drawings/growth.tsx').catch(() => undefined) : undefined
  toast(
    message,
    'success',
    drawings && <drawings.GrowthDrawing stage={milestonesReached(streak)} className="w-24 shrink-0" />,
  )
}

function useCheckInAction() {
  const { hasCheckedIn, streak, isBusy } = useCheckIn()
  const creditName = useCreditName()
  const submit = async () => {
    try {
      const result = await checkIn()
      if (result) await celebrate(checkInMessage(result.award, creditName, result.streak), result.streak)
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
