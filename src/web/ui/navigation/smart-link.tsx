import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface SmartLinkProps {
  href: string
  target?: string
  className?: string
  onClick?: () => void
  'aria-current'?: 'page' | undefined
  children: ReactNode
}

/** A link that the site's owner entered: paths of this site are router links, other sites plain anchors, anything else no link. */
export function SmartLink({ href, target, children, ...rest }: SmartLinkProps) {
  if (/^https?:\/\//i.test(href)) {
    return (
      <a href={href} target={target === '_self' ? '_self' : '_blank'} rel="noopener noreferrer" {...rest}>
        {children}
      </a>
    )
  }
  if (/^(mailto|tel):/i.test(href)) {
    return (
      <a href={href} {...rest}>
        {children}
      </a>
    )
  }
  if (!/^[/#](?![/\\])/.test(href)) {
    return <span className={rest.className}>{children}</span>
  }
  return (
    <Link to={href} target={target === '_blank' ? '_blank' : undefined} {...rest}>
      {children}
    </Link>
  )
}
