import * as Primitive from 'radix-ui/dropdown-menu'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

const itemClass =
  'flex cursor-pointer items-center gap-3 rounded-md px-3 py-2 text-sm outline-none data-highlighted:bg-sunken data-highlighted:text-ink data-disabled:cursor-default data-disabled:text-muted'

export function DropdownMenu({
  trigger,
  header,
  children,
}: {
  trigger: ReactNode
  header?: ReactNode
  children: ReactNode
}) {
  return (
    <Primitive.Root modal={false}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align="end"
          sideOffset={8}
          collisionPadding={12}
          className="z-50 min-w-56 animate-appear rounded-lg border border-line bg-surface p-1.5 shadow-soft"
        >
          {header}
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

export function MenuLink({ to, icon, children }: { to: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Primitive.Item asChild className={itemClass}>
      <Link to={to}>
        {icon}
        {children}
      </Link>
    </Primitive.Item>
  )
}

export function MenuAction({
  onSelect,
  icon,
  disabled = false,
  children,
}: {
  onSelect: () => void
  icon: ReactNode
  disabled?: boolean
  children: ReactNode
}) {
  return (
    <Primitive.Item onSelect={onSelect} disabled={disabled} className={itemClass}>
      {icon}
      {children}
    </Primitive.Item>
  )
}

export function MenuSeparator() {
  return <Primitive.Separator className="my-1.5 h-px bg-line" />
}
