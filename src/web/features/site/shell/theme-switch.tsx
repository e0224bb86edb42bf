import { Monitor, Moon, Sun } from 'lucide-react'
import { useTheme, type Theme } from '#web/lib/theme.ts'
import { cx } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

const choices = [
  { theme: 'light', title: '浅色', Icon: Sun },
  { theme: 'dark', title: '深色', Icon: Moon },
  { theme: 'system', title: '跟随系统', Icon: Monitor },
] as const satisfies { theme: Theme; title: string; Icon: typeof Sun }[]

/** All three themes side by side. */
export function ThemeSwitch() {
  const { theme, choose } = useTheme()
  return (
    <fieldset
      aria-label="外观"
      className="inline-flex shrink-0 self-start rounded-md border border-line bg-surface p-0.5"
    >
      {choices.map((choice) => (
        <button
          key={choice.theme}
          type="button"
          aria-pressed={theme === choice.theme}
          onClick={() => choose(choice.theme)}
          className={cx(
            'flex h-8 items-center gap-1.5 rounded-sm px-2.5 text-xs whitespace-nowrap',
            theme === choice.theme ? 'bg-sunken font-medium text-ink' : 'text-muted hover:text-ink',
          )}
        >
          <choice.Icon size={14} aria-hidden />
          {choice.title}
        </button>
      ))}
    </fieldset>
  )
}

/** A button that cycles through the themes. */
export function ThemeButton() {
  const { theme, choose } = useTheme()
  const index = choices.findIndex((choice) => choice.theme === theme)
  const { title, Icon } = choices[index] ?? choices[2]
  const next = choices[(index + 1) % choices.length] ?? choices[0]
  return (
    <IconButton label={`外观：${title}，换成${next.title}`} onClick={() => choose(next.theme)}>
      <Icon size={18} aria-hidden />
    </IconButton>
  )
}
