import { App } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useBlocker } from 'react-router'

/** The open forms with input that has not been saved. A dialog may stand over a page, and the router asks only one of them. */
const unsaved = new Set<object>()

/** Asks before typed input is lost: by closing a form, by leaving the page, by closing the tab. */
export function useUnsaved() {
  const [form] = useState(() => ({}))
  const { modal } = App.useApp()
  const blocker = useBlocker(() => unsaved.size > 0)
  const ask = (leave: () => void, stay?: () => void) =>
    modal.confirm({
      title: '放弃未保存的修改？',
      content: '您填写的内容还没有保存，离开后将丢失。',
      okText: '放弃修改',
      cancelText: '继续编辑',
      okButtonProps: { danger: true },
      onOk: leave,
      onCancel: stay,
    })
  const askBlocked = useEffectEvent((state: string) => {
    if (state !== 'blocked' || blocker.state !== 'blocked') return
    const { proceed, reset } = blocker
    ask(() => {
      unsaved.clear()
      proceed()
    }, reset)
  })
  useEffect(() => askBlocked(blocker.state), [blocker.state])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (unsaved.has(form)) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => {
      window.removeEventListener('beforeunload', warn)
      unsaved.delete(form)
    }
  }, [form])
  const saved = () => void unsaved.delete(form)
  return {
    touched: () => void unsaved.add(form),
    saved,
    /** Goes on at once when nothing would be lost. */
    leave: (go: () => void) => {
      if (!unsaved.has(form)) return go()
      ask(() => {
        saved()
        go()
      })
    },
  }
}
