import { App } from 'antd'
import { ApiError } from '#shared/errors.ts'
import { useRef, useState } from 'react'

export function getErrorMessage(error: unknown): string {
  return error instanceof Error && error.message ? error.message : '未知错误，请稍后重试'
}

/** Messages about the result of an action. */
export function useFeedback() {
  const { message } = App.useApp()
  return {
    showSuccess: (text: string) => void message.success(text),
    showWarning: (text: string) => void message.warning({ content: text, duration: 8 }),
    showError: (label: string, error: unknown) => {
      const text = getErrorMessage(error)
      // The action has not failed: a second person has to approve it.
      if (error instanceof ApiError && error.reason === 'outlays.waiting')
        void message.warning({ content: text, duration: 10 })
      else void message.error({ content: `${label}失败：${text}`, duration: 6 })
    },
  }
}

/** Runs one task at a time; `busy` is for the button's spinner. */
export function useTask() {
  const [busy, setBusy] = useState(false)
  // State arrives with the next render; a double click is faster.
  const running = useRef(false)
  const run = async (task: () => Promise<void>) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    try {
      await task()
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { busy, run }
}
