import { App } from 'antd'
import { useRef, useState } from 'react'

export function reasonOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : '未知错误，请稍后重试'
}

/** Says what happened, and why when it did not. */
export function useFeedback() {
  const { message } = App.useApp()
  return {
    done: (text: string) => void message.success(text),
    warned: (text: string) => void message.warning({ content: text, duration: 8 }),
    failed: (what: string, error: unknown) =>
      void message.error({ content: `${what}失败：${reasonOf(error)}`, duration: 6 }),
  }
}

/** Work that shows itself and cannot be started twice. */
export function useTask() {
  const [busy, setBusy] = useState(false)
  // State arrives with the next render; a double click is faster.
  const running = useRef(false)
  const run = async (work: () => Promise<void>) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    try {
      await work()
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { busy, run }
}
