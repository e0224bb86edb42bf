import { useState } from 'react'

/** A user's picture, or the default one. */
export function Avatar({ src, size = 80, isLazy = false }: { src: string; size?: number; isLazy?: boolean }) {
  const [failed, setFailed] = useState('')
  const isOwn = src !== '' && src !== failed
  return (
    <img
      src={isOwn ? src : '/avatar.svg'}
      alt=""
      width={size}
      height={size}
      loading={isLazy ? 'lazy' : undefined}
      style={{ width: size, height: size }}
      onError={() => setFailed(src)}
      className="max-w-none shrink-0 rounded-full bg-sunken object-cover"
    />
  )
}
