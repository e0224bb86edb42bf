import { Component, type ReactNode } from 'react'

/** Around the error page: should that fail to render, a plain message remains. */
export class RootErrorBoundary extends Component<{ children: ReactNode }, { problem?: string }> {
  override state: { problem?: string } = {}

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) }
  }

  override render(): ReactNode {
    const { problem } = this.state
    return problem === undefined ? this.props.children : <FatalError title="显示错误页面时发生错误" details={problem} />
  }
}

/** Uses neither settings nor data nor the router. */
export function FatalError({ title, details }: { title: string; details: string }) {
  return (
    <main style={{ maxWidth: '36rem', margin: '18vh auto', padding: '0 1.5rem', lineHeight: 1.7 }}>
      <h1 style={{ fontSize: '1.5rem' }}>{title}</h1>
      <p style={{ opacity: 0.75 }}>{details}</p>
      <p>
        <a href="/" style={{ textDecoration: 'underline' }}>
          返回首页
        </a>
      </p>
    </main>
  )
}
