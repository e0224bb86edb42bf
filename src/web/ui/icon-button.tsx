import type { ComponentProps } from 'react'

/** The look of an icon button, also for a link that looks like one. */
export const iconButtonClass =
  'inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-ink'

/** `label` is the accessible name and the tooltip. */
export function IconButton({ label, ...rest }: Omit<ComponentProps<'button'>, 'className'> & { label: string }) {
  return <button type="button" aria-label={label} title={label} {...rest} className={iconButtonClass} />
}
