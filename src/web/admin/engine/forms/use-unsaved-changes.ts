import { App } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useBlocker } from 'react-router'

/** The open forms with unsaved input, in common: a dialog may be open over a page, and the router asks a single blocker. */
const dirtyForms = new Set<object>()

/** Asks for confirmation before unsaved input is lost by closing a form, leaving the page or closing the tab. */
export function useUnsavedChanges() {
  const [form] = useState(() => ({}))
  const { modal } = App.useApp()
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      // A link within the page loses nothing.
      dirtyForms.size > 0 && (from.pathname !== to.pathname || from.search !== to.search),
  )
  const confirm = (onLeave: () => void, onStay?: () => void) =>
    modal.confirm({
      title: '放弃未保存的修改？',
      content: '您填写的内容还没有保存，离开后将丢失。',
      okText: '放弃修改',
      cancelText: '继续编辑',
      okButtonProps: { danger: true },
      onOk: onLeave,
      onCancel: onStay,
    })
  const confirmBlocked = useEffectEvent((state: string) => {
    if (state !== 'blocked' || blocker.state !== 'blocked') return
    const { proceed, reset } = blocker
    confirm(() => {
      dirtyForms.clear()
      proceed()
    }, reset)
  })
  useEffect(() => confirmBlocked(blocker.state), [blocker.state])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (dirtyForms.has(form)) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => {
      window.removeEventListener('beforeunload', warn)
      dirtyForms.delete(form)
    }
  }, [form])
  const markSaved = () => void dirtyForms.delete(form)
  return {
    markDirty: () => void dirtyForms.add(form),
    markSaved,
    /** Leaves at once when nothing would be lost. */
    confirmLeave: (onLeave: () => void) => {
      if (!dirtyForms.has(form)) return onLeave()
      confirm(() => {
        markSaved()
        onLeave()
      })
    },
  }
}
