import { Component, type ReactNode } from 'react'

/** Around the error page: if even that cannot be shown, plain words remain. */
export class LastResort extends Component<{ children: ReactNode }, { problem?: string }> {
  override state: { problem?: string } = {}

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) }
  }

  override render(): ReactNode {
    const { problem } = this.state
    return problem === undefined ? this.props.children : <LastWords title="显示错误页面时发生错误" details={problem} />
  }
}

/** Needs nothing: no settings, no data, no router. */
export function LastWords({ title, details }: { title: string; details: string }) {
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
