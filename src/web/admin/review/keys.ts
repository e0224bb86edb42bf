import { useEffect, useEffectEvent } from 'react'

interface KeyOptions {
  /** The keys belong to an open dialog; otherwise those in dialogs and menus are left to them. */
  inDialog?: boolean
}

/** Calls the action of a key, such as `a` or `ArrowRight`, unless the key is for something else on the page. */
export function useKeys(actions: Record<string, () => void>, { inDialog = false }: KeyOptions = {}): void {
  const act = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
    if (isIn(event, fields) || (!inDialog && isIn(event, '[role="dialog"], [role="menu"]'))) return
    const action = actions[keyName(event)]
    if (!action) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => act(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

const fields = 'input, textarea, select, [contenteditable="true"]'

function isIn({ target }: Event, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null
}

/** An input method for Chinese takes the letter: the place of the key on the keyboard remains. */
export function keyName({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const name = key === 'Process' ? code.replace(/^(Key|Digit)/, '') : key
  return name.length === 1 ? name.toLowerCase() : name
}
