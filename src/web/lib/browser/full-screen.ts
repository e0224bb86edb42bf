/** Full screen, which some browsers do not support (phones often do not): there nothing happens. */

export function enterFullScreen(element: Element | null): void {
  element?.requestFullscreen?.().catch(() => undefined)
}

export function exitFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
}

export function onFullScreenChange(listener: (isFull: boolean) => void): () => void {
  const follow = () => listener(document.fullscreenElement !== null)
  document.addEventListener('fullscreenchange', follow)
  return () => document.removeEventListener('fullscreenchange', follow)
}
