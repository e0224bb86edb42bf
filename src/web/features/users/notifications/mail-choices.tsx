import { useState } from 'react'
import { allCodes } from '#shared/codes.ts'
import { type NotificationChoice, notifications } from '#shared/contract/notifications.ts'
import { NotificationMail, notificationKindLabels, notificationMailLabels } from '#shared/notification-kinds.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { controlClass } from '#web/ui/forms/input.tsx'
import { cx } from '#web/ui/class-names.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** How each kind is mailed. A choice is saved at once. */
export function MailChoices({ choices }: { choices: readonly NotificationChoice[] }) {
  const [modes, setModes] = useState(new Map(choices.map(({ kind, mail }) => [kind, mail])))
  const choose = async (choice: NotificationChoice) => {
    const before = modes.get(choice.kind) ?? NotificationMail.Off
    setModes((latest) => new Map(latest).set(choice.kind, choice.mail))
    try {
      await api(notifications.choose, { choice: [choice] })
      toast('已保存')
    } catch (error) {
      setModes((latest) => new Map(latest).set(choice.kind, before))
      toast(errorMessage(error, '没有保存，请稍后重试'), 'danger')
    }
  }
  return (
    <ul className="divide-y divide-line">
      {choices.map(({ kind }) => (
        <li key={kind}>
          <label className="flex items-center justify-between gap-4 py-3 text-sm">
            <span className="min-w-0">{notificationKindLabels[kind]}</span>
            <span className="w-36 shrink-0">
              <select
                value={modes.get(kind)}
                onChange={({ target }) => {
                  const mail = allCodes(NotificationMail).find((code) => String(code) === target.value)
                  if (mail !== undefined) void choose({ kind, mail })
                }}
                className={cx(controlClass, 'h-10')}
              >
                {allCodes(NotificationMail).map((mail) => (
                  <option key={mail} value={mail}>
                    {notificationMailLabels[mail]}
                  </option>
                ))}
              </select>
            </span>
          </label>
        </li>
      ))}
    </ul>
  )
}
