import { ChoiceTabs } from '#web/features/lists/choice-tabs.tsx'

type Tab = 'all' | 'unread' | 'mail'

const tabs: Record<Tab, { title: string; to: string }> = {
  all: { title: '全部', to: '/me/notification' },
  unread: { title: '未读', to: '/me/notification?unread=1' },
  mail: { title: '邮件设置', to: '/me/notification/mail' },
}

export function NotificationTabs({ active }: { active: Tab }) {
  const choices = Object.entries(tabs).map(([name, tab]) => ({ ...tab, isChosen: name === active }))
  return (
    <div className="mb-4 border-b border-line">
      <ChoiceTabs label="通知" choices={choices} />
    </div>
  )
}
