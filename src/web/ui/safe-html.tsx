/** HTML that the server has sanitized: the only component that renders HTML. */
export function SafeHtml({ html, className }: { html: string; className?: string }) {
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} suppressHydrationWarning />
}
